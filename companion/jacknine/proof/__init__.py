"""Whether counts can be right: a deal that carries them is looked for as proof, or what excludes what."""
