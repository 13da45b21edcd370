// A link with a match in it leads to the front page, in whatever language: goes on to the page that shows the match.
if (location.hash.startsWith("#give=")) location.replace(`given${location.hash}`);
