import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, reply, settle } from "../support/page.mjs";

const form = ({ game = "derda", shown = game, names = ["", ""] } = {}) => `<form id="new" method="post" action="/en/new" data-offline="offline">
  <p id="not-started" hidden></p>
  <details id="games" open><summary><b data-game>${game}</b></summary><input type="search" id="find-game"><p id="games-found" data-none="none"></p>${[["derda", "Derda Дерда", "belo"], ["durak", "Durak Łódź Клабер’яс Dureń", "forfeit belo"]].map(([value, titles, words]) => `<label data-titles="${titles}" data-words="${words}"><input type="radio" name="game" value="${value}"${value === game ? " checked" : ""}><span class="choice-text">${value}</span> <small>2</small></label>`).join("")}<details id="more-games"></details><dl id="about"><dd>two, cards</dd><dd>no winner</dd></dl></details>
  <input type="hidden" name="shown-game" value="${shown}"><input type="hidden" name="preset" value="p"><input type="hidden" name="shown-preset" value="p"><input type="hidden" name="table" value="2"><input type="hidden" name="shown-table" value="2">
  <p data-nojs><button name="step" value="show">Show</button></p><button name="step" value="teams">Draw teams</button>
  ${names.map((name, at) => `<span data-called="${"ABCD"[at]}">Player ${at + 1}</span><input id="name-${"ABCD"[at]}" name="name-${"ABCD"[at]}" data-seat="${"ABCD"[at]}" value="${name}"><bdi data-name-of="${"ABCD"[at]}"></bdi>`).join("")}
  <div data-chips hidden>${["Ewa", "Jan", "Ola"].map((name) => `<button type="button" data-name="${name}">${name}</button>`).join("")}</div>
  <details id="house" data-differ="[&quot;as usual&quot;, &quot;1 differs&quot;, &quot;2 differ&quot;]"><summary>rules <small></small></summary><input name="rule-target" value="501">
    <details id="bidding" data-group><summary>Bidding <small></small></summary><div class="house" data-usual="yes"><input type="radio" name="rule-bela" value="yes" checked><input type="radio" name="rule-bela" value="no"></div></details>
    <details id="ties" data-group><summary>Ties <small></small></summary><div class="house" data-usual="" data-ways="[{&quot;bela&quot;: &quot;no&quot;}, {&quot;sixes&quot;: &quot;1..5&quot;}, {&quot;sixes&quot;: &quot;9..&quot;}]"><input name="rule-held" value=""></div></details>
    <p><button name="step" value="usual">All as usual</button></p></details>
  <input name="rule-sixes" value="0"></form><div class="actions"><button form="new" name="step" value="start">${game}</button></div>`;

async function open(options = {}, answer = ({ fields }) => reply(form({ game: new Map(fields).get("game"), names: ["", "", ""] }))) {
  const page = openPage(`<html><body>${form(options)}</body></html>`);
  page.fetch = answer;
  Object.assign(page.window, { visualViewport: null });
  await load("matches/new.js");
  const find = (selector) => page.find(selector);
  const chip = (name) => page.tap(find(`[data-name="${name}"]`));
  const names = () => page.document.querySelectorAll("[data-seat]").map((field) => field.value).join();
  const choose = async (game) => {
    page.choose(find(`[name="game"][value="${game}"]`));
    await settle();
  };
  return { page, find, chip, names, choose };
}
const steps = ({ requests }) => requests.map(({ fields }) => new Map(fields).get("step"));
const noNetwork = () => Promise.reject(new TypeError());

test("with the script chips are offered, and what is only for those without it is not", async () => {
  const { find } = await open();
  assert.equal(find("[data-chips]").hidden, false);
  assert.equal(find("[data-nojs]").hidden, true);
});

test("a chip gives its name to the first empty place, and takes it away again", async () => {
  const { chip, names, find } = await open();
  chip("Ewa");
  chip("Jan");
  assert.equal(names(), "Ewa,Jan");
  assert.equal(find("[data-name-of=B]").textContent, "Jan");
  assert.equal(find("[data-name=Jan]").getAttribute("aria-pressed"), "true");
  chip("Ewa");
  assert.equal(names(), ",Jan");
  assert.equal(find("[data-name-of=A]").textContent, "Player 1");
  assert.equal(find("[data-name=Ewa]").getAttribute("aria-pressed"), "false");
});

test("a chip fills the field one is in; where all are full it replaces that", async () => {
  const { chip, names, find } = await open();
  find("#name-B").focus();
  chip("Ewa");
  assert.equal(names(), ",Ewa");
  chip("Jan");
  assert.equal(names(), "Jan,Ewa");
  find("#name-A").focus();
  chip("Ola");
  assert.equal(names(), "Ola,Ewa");
});

test("where all are full no name is overwritten unasked: a chip waits for a place that is freed, or for a field", async () => {
  const { page, chip, names, find } = await open({ names: ["Ewa", "Jan"] });
  const isOffered = () => !find("[data-name=Ola]").disabled;
  assert.equal(isOffered(), false);
  chip("Ola");
  assert.equal(names(), "Ewa,Jan");
  chip("Jan");
  assert.equal(isOffered(), true);
  chip("Ola");
  assert.equal(names(), "Ewa,Ola");
  page.type(find("#name-A"), "");
  chip("Jan");
  assert.equal(names(), "Jan,Ola");
});

test("a house rule is on the page while another leaves something for it to say", async () => {
  const { page, find } = await open();
  const isSeen = () => !find("[data-ways]").hidden;
  assert.equal(isSeen(), false);
  page.choose(find('[name="rule-bela"][value="no"]'));
  assert.equal(isSeen(), true);
  page.choose(find('[name="rule-bela"][value="yes"]'));
  for (const [number, expected] of [["1", true], ["6", false], ["9", true]]) {
    page.type(find('[name="rule-sixes"]'), number);
    assert.equal(isSeen(), expected);
  }
});

test("folds say how many house rules differ, of those on the page", async () => {
  const { page, find } = await open();
  const said = () => [...["#house", "#bidding", "#ties"].map((fold) => find(`${fold} small`).textContent), find("p:has([value=usual])").hidden];
  assert.deepEqual(said(), ["as usual", "", "", true]);
  page.choose(find('[name="rule-bela"][value="no"]'));
  page.type(find('[name="rule-held"]'), "5");
  assert.deepEqual(said(), ["2 differ", "1 differs", "1 differs", false]);
  page.choose(find('[name="rule-bela"][value="yes"]'));
  assert.deepEqual(said(), ["as usual", "", "", true]);
});

test("another game brings its form; what is typed meanwhile, the folds and the focus stay", async () => {
  const { page, find, names, choose } = await open({ names: ["Ewa", ""] }, async ({ fields }) => {
    page.type(find("#name-B"), "Jan");
    return reply(form({ game: "durak", names: [new Map(fields).get("name-A"), "", ""] }));
  });
  find("#house").open = true;
  find("#games").open = false;
  find("#name-B").focus();
  await choose("durak");
  assert.deepEqual(steps(page), ["show"]);
  assert.equal(names(), "Ewa,Jan,");
  assert.equal(find(".actions").textContent, "durak");
  assert.deepEqual([find("#house").open, find("#games").open], [true, false]);
  assert.equal(page.document.activeElement, find("#name-B"));
  assert.equal(find("[data-nojs]").hidden, true);
});

test("of two choices the last is shown, whichever answer comes first", async () => {
  const answers = [];
  const { find, choose } = await open({}, () => new Promise((resolve) => answers.push(resolve)));
  await choose("durak");
  await choose("derda");
  for (const [at, game] of [[1, "derda"], [0, "durak"]]) {
    answers[at](reply(form({ game })));
    await settle();
  }
  assert.equal(find(".actions").textContent, "derda");
});

test("rules as usual are not overwritten by those that stood there", async () => {
  const { page, find } = await open({}, () => {
    page.type(find('[name="rule-target"]'), "999");
    return reply(form());
  });
  find("#new").requestSubmit(find("[value=usual]"));
  await settle();
  assert.deepEqual(steps(page), ["usual"]);
  assert.equal(find('[name="rule-target"]').value, "501");
});

test("Start is the form's own", async () => {
  const { page, find } = await open();
  find("#new").requestSubmit(find("[value=start]"));
  await settle();
  assert.equal(page.requests.length, 0);
});

test("a game that was pointed at folds the list away; one that the arrow keys reach does not", async () => {
  const { page, find } = await open();
  page.key(find('[value="durak"]'), "ArrowDown");
  find('[value="durak"]').click();
  assert.equal(find("#games").open, true);
  page.tap(find('[value="durak"]'));
  assert.equal(find("#games").open, false);
  assert.equal(find("[data-game]").textContent, "durak");
  assert.equal(page.document.activeElement.tagName, "SUMMARY");
});

test("teams are drawn on the page: all names stay, each at a seat", async () => {
  const { page, find, names } = await open({ names: ["Ewa", "Jan", "Ola", "Piotr"] });
  const seen = new Set();
  for (let n = 0; n < 60; n++) {
    find("#new").requestSubmit(find('[value="teams"]'));
    seen.add(names());
    assert.deepEqual(names().split(",").sort(), ["Ewa", "Jan", "Ola", "Piotr"]);
  }
  assert.ok(seen.size > 5, [...seen].join(" "));
  assert.equal(page.requests.length, 0);
});

test("games are found by their names however they are written, else by their words; the chosen one stays", async () => {
  const { page, find } = await open();
  const typing = (text) => {
    page.type(find("#find-game"), text);
    return find('[value="durak"]').closest("label").hidden ? "" : find("#games-found").textContent;
  };
  for (const text of ["dure", "дур", "DUREŃ", "lodz dur", "клаберяс", "forf"]) assert.equal(typing(text), text === "дур" ? "" : "durak · no winner", text);
  assert.equal(find("#more-games").open, true);
  assert.equal(typing("belo"), "derda, durak");
  assert.equal(typing("ure"), "");
  assert.deepEqual([find("#games-found").textContent, find("#games-found").className], ["none", ""]);
  assert.equal(find('[value="derda"]').closest("label").hidden, false);
  assert.equal(typing(""), "");
  assert.equal(find('[value="durak"]').closest("label").hidden, false);
});

test("Enter chooses the first game that is found, and none where nothing is typed", async () => {
  const { page, find } = await open();
  assert.equal(page.key(find("#find-game"), "Enter").defaultPrevented, true);
  assert.equal(find("#games").open, true);
  page.type(find("#find-game"), "dur");
  page.key(find("#find-game"), "Enter");
  assert.deepEqual([find("#games").open, find("[data-game]").textContent, find("#find-game").value], [false, "durak", ""]);
});

for (const [hindrance, answer] of Object.entries({
  "no network": noNetwork,
  "a café": () => new Response("welcome"),
  "a server that fails": () => reply("broken", { status: 503 }),
  "too much": () => reply("slow down", { status: 429 }),
  "another page": () => reply("elsewhere"),
})) {
  test(`${hindrance}: the page stays and says so, and the choice is looked up when the network is back`, async () => {
    const { page, find, names, choose } = await open({ names: ["Ewa", "Jan"] }, answer);
    await choose("durak");
    assert.deepEqual([find("#not-started").hidden, find("#not-started").textContent], [false, "offline"]);
    assert.equal(names(), "Ewa,Jan");
    assert.equal(find("[value=show]").closest("p").hidden, false);
    page.fetch = () => reply(form({ game: "durak", names: ["Ewa", "Jan", ""] }));
    for (let n = 0; n < 2; n++) {
      page.send("online");
      await settle();
    }
    assert.deepEqual(steps(page), ["show", "show"]);
    assert.equal(names(), "Ewa,Jan,");
  });
}

test("a browser that comes back with another choice than the form has asks for its form", async () => {
  const { page } = await open({ game: "durak", shown: "derda" });
  page.send("pageshow");
  await settle();
  assert.deepEqual(steps(page), ["show"]);
});
