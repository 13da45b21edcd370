// As much of a document as the scripts of static/ use: elements, selectors, forms and events.
const VOID = new Set(["INPUT", "BR", "META", "LINK", "HR", "IMG"]);
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const escapeHtml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const unescapeHtml = (text) => text.replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

// --- events ---

export class FakeEvent {
  #prevented = false;
  constructor(type, options = {}) {
    this.type = type;
    this.bubbles = false;
    Object.assign(this, options);
    this.target = null;
  }
  get defaultPrevented() { return this.#prevented; }
  preventDefault() { this.#prevented = true; }
  stopPropagation() { this.stopped = true; }
}

export class Target {
  #listeners = [];
  addEventListener(type, work, options) {
    const capture = options === true || options?.capture === true;
    this.#listeners.push({ type, work, capture, once: options?.once });
  }
  removeEventListener(type, work) {
    this.#listeners = this.#listeners.filter((listener) => listener.type !== type || listener.work !== work);
  }
  hear(event, captures) {
    for (const listener of this.#listeners.filter(({ type }) => type === event.type)) {
      if (captures !== undefined && listener.capture !== captures) continue;
      if (listener.once) this.removeEventListener(listener.type, listener.work);
      listener.work.call(this, event);
    }
  }
  dispatchEvent(event) {
    event.target = this;
    const path = [];
    for (let place = this; place; place = place.parentNode ?? place.window) path.push(place);
    for (const place of path.slice(1).reverse()) place.hear(event, true);
    this.hear(event);
    if (event.bubbles) for (const place of path.slice(1)) place.hear(event, false);
    return !event.defaultPrevented;
  }
}

// --- nodes ---

class FakeNode extends Target {
  static ELEMENT_NODE = 1;
  parentNode = null;
  childNodes = [];
  get ownerDocument() {
    let root = this;
    while (root.parentNode) root = root.parentNode;
    return root;
  }
  get parentElement() { return this.parentNode?.nodeType === 1 ? this.parentNode : null; }
  get isConnected() { return this.ownerDocument === globalThis.document; }
  get firstChild() { return this.childNodes[0] ?? null; }
  get nextSibling() { return this.#sibling(1, () => true); }
  get children() { return this.childNodes.filter((node) => node.nodeType === 1); }
  get firstElementChild() { return this.children[0] ?? null; }
  get lastElementChild() { return this.children.at(-1) ?? null; }
  get previousElementSibling() { return this.#sibling(-1, (node) => node.nodeType === 1); }
  #sibling(step, fits) {
    const all = this.parentNode?.childNodes ?? [];
    for (let at = all.indexOf(this) + step; at >= 0 && at < all.length; at += step) if (fits(all[at])) return all[at];
    return null;
  }
  insertAt(at, nodes) {
    const fresh = nodes.flatMap((node) => (node instanceof Fragment ? [...node.childNodes] : [typeof node === "string" ? new Text(node) : node]));
    const before = this.childNodes[at] ?? null;
    for (const node of fresh) node.remove();
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, ...fresh);
    for (const node of fresh) node.parentNode = this;
  }
  append(...nodes) { this.insertAt(this.childNodes.length, nodes); }
  prepend(...nodes) { this.insertAt(0, nodes); }
  insertBefore(node, place) { this.insertAt(place ? this.childNodes.indexOf(place) : this.childNodes.length, [node]); }
  before(...nodes) { this.parentNode?.insertAt(this.parentNode.childNodes.indexOf(this), nodes); }
  after(...nodes) { this.parentNode?.insertAt(this.parentNode.childNodes.indexOf(this) + 1, nodes); }
  replaceWith(...nodes) {
    this.before(...nodes);
    this.remove();
  }
  replaceChildren(...nodes) {
    const fresh = [...nodes];
    for (const node of [...this.childNodes]) if (!fresh.includes(node)) node.remove();
    this.append(...fresh);
  }
  remove() {
    if (!this.parentNode) return;
    this.parentNode.childNodes = this.parentNode.childNodes.filter((node) => node !== this);
    this.parentNode = null;
  }
  contains(node) {
    for (let place = node; place; place = place.parentNode) if (place === this) return true;
    return false;
  }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(String(text ?? "") ? [new Text(String(text))] : [])); }
  descendants() { return this.children.flatMap((child) => [child, ...child.descendants()]); }
  querySelectorAll(selector) { return this.descendants().filter((element) => fits(element, selector, this)); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
  getElementById(id) { return this.descendants().find((element) => element.id === id) ?? null; }
}

class Text extends FakeNode {
  nodeType = 3;
  nodeName = "#text";
  constructor(data) {
    super();
    this.data = data;
  }
  get textContent() { return this.data; }
  cloneNode() { return new Text(this.data); }
}

class Fragment extends FakeNode {
  nodeType = 11;
  cloneNode() {
    const copy = new Fragment();
    copy.append(...this.childNodes.map((node) => node.cloneNode(true)));
    return copy;
  }
}

const CONTROLS = ["INPUT", "BUTTON", "SELECT", "TEXTAREA"];

export class FakeElement extends FakeNode {
  nodeType = 1;
  #attributes = new Map();
  constructor(tag) {
    super();
    this.tagName = this.nodeName = tag.toUpperCase();
    if (this.tagName === "TEMPLATE") this.content = new Fragment();
    this.style = { setProperty(name, value) { this[name] = value; } };
  }
  get attributes() { return [...this.#attributes].map(([name, value]) => ({ name, value })); }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  hasAttribute(name) { return this.#attributes.has(name); }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { this.#attributes.delete(name); }
  toggleAttribute(name, is) {
    if (is) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }
  get dataset() {
    const element = this;
    return new Proxy({}, {
      get: (_, name) => (typeof name === "string" ? (element.getAttribute(`data-${kebab(name)}`) ?? undefined) : undefined),
      set: (_, name, value) => { element.setAttribute(`data-${kebab(name)}`, value); return true; },
      has: (_, name) => element.hasAttribute(`data-${kebab(name)}`),
      deleteProperty: (_, name) => { element.removeAttribute(`data-${kebab(name)}`); return true; },
    });
  }
  get classList() {
    const read = () => this.className.split(" ").filter(Boolean);
    const write = (names) => { this.className = [...new Set(names)].join(" "); };
    return {
      contains: (name) => read().includes(name),
      add: (name) => write([...read(), name]),
      remove: (name) => write(read().filter((other) => other !== name)),
      toggle: (name, is = !read().includes(name)) => write(is ? [...read(), name] : read().filter((other) => other !== name)),
    };
  }
  matches(selector) { return fits(this, selector, this); }
  closest(selector) {
    for (let place = this; place?.nodeType === 1; place = place.parentNode) if (place.matches(selector)) return place;
    return null;
  }
  cloneNode(deep = false) {
    const copy = new FakeElement(this.tagName);
    for (const { name, value } of this.attributes) copy.setAttribute(name, value);
    for (const name of ["dirtyValue", "dirtyChecked"]) copy[name] = this[name];
    if (deep) copy.append(...this.childNodes.map((node) => node.cloneNode(true)));
    if (this.content) copy.content = this.content.cloneNode(true);
    return copy;
  }
  get innerHTML() { return (this.content ?? this).childNodes.map(write).join(""); }
  set innerHTML(html) { (this.content ?? this).replaceChildren(...parse(html)); }
  get outerHTML() { return write(this); }
  get offsetParent() { return this.closest("[hidden]") ? null : this.parentNode; }
  getBoundingClientRect() { return { left: 0, right: 0, top: 0, bottom: 0, height: 0, width: 0 }; }
  scrollIntoView() {}
  focus() {
    if (this.disabled) return;
    this.ownerDocument.activeElement = this;
    this.dispatchEvent(new FakeEvent("focusin", { bubbles: true }));
  }
  click() { this.dispatchEvent(new FakeEvent("click", { bubbles: true, detail: 1 })); }
  select() {}
  setSelectionRange() {}
  // --- of forms and their fields
  get form() {
    const named = this.getAttribute("form");
    return named ? this.ownerDocument.getElementById(named) : this.closest("form");
  }
  get elements() {
    const all = [...new Set([...this.descendants(), ...this.ownerDocument.querySelectorAll(`[form="${this.id}"]`)])].filter(({ tagName }) => CONTROLS.includes(tagName));
    const named = (name) => {
      const found = all.filter((element) => element.name === name || element.id === name);
      if (found.length < 2) return found[0];
      return Object.defineProperty([...found], "value", {
        get: () => found.find((element) => element.checked)?.value ?? "",
        set: (value) => { for (const element of found) if (element.value === value) element.checked = true; },
      });
    };
    const namedItem = (name) => named(name) ?? null;
    return new Proxy(all, { get: (list, name) => (name === "namedItem" ? namedItem : name in list || typeof name === "symbol" ? Reflect.get(list, name) : named(name)) });
  }
  reset() {
    for (const element of this.elements) {
      element.dirtyValue = element.dirtyChecked = undefined;
      for (const option of element.options ?? []) option.dirtyChecked = undefined;
    }
  }
  submit() { globalThis.submitted?.push(this); }
  requestSubmit(submitter = null) { this.dispatchEvent(new FakeEvent("submit", { bubbles: true, submitter })); }
  get method() { return (this.getAttribute("method") ?? "get").toLowerCase(); }
  get action() { return new URL(this.getAttribute("action") || location.href, location.href).href; }
  get formAction() { return new URL(this.getAttribute("formaction") || location.href, location.href).href; }
  get href() { return this.hasAttribute("href") ? new URL(this.getAttribute("href"), location.href).href : undefined; }
  set href(value) { this.setAttribute("href", value); }
  get pathname() { return new URL(this.href).pathname; }
  get search() { return new URL(this.href).search; }
  get hash() { return new URL(this.href).hash; }
  get type() {
    if (this.tagName === "TEXTAREA") return "textarea";
    if (this.tagName === "SELECT") return "select-one";
    return this.getAttribute("type") ?? (this.tagName === "BUTTON" ? "submit" : "text");
  }
  set type(value) { this.setAttribute("type", value); }
  get options() { return this.tagName === "SELECT" ? this.querySelectorAll("option") : undefined; }
  get selectedIndex() { return this.options.findIndex((option) => option.selected); }
  get selected() {
    const options = this.closest("select")?.querySelectorAll("option") ?? [];
    if (options.some((option) => option.dirtyChecked !== undefined)) return Boolean(this.dirtyChecked);
    return this.defaultSelected || (options[0] === this && !options.some((option) => option.defaultSelected));
  }
  set selected(is) {
    const options = this.closest("select").querySelectorAll("option");
    const others = is ? options : [];
    for (const option of others) option.dirtyChecked = false;
    this.dirtyChecked = Boolean(is);
  }
  get defaultSelected() { return this.hasAttribute("selected"); }
  get defaultValue() { return this.tagName === "TEXTAREA" ? this.textContent : (this.getAttribute("value") ?? ""); }
  get value() {
    if (this.tagName === "SELECT") return this.options[this.selectedIndex]?.value ?? "";
    if (this.tagName === "OPTION") return this.getAttribute("value") ?? this.textContent;
    const isSwitch = this.type === "radio" || this.type === "checkbox";
    return isSwitch ? (this.getAttribute("value") ?? "on") : (this.dirtyValue ?? this.defaultValue);
  }
  set value(value) {
    if (this.tagName === "SELECT") for (const option of this.options) option.dirtyChecked = option.value === value;
    else if (["hidden", "radio", "checkbox", "submit", "button"].includes(this.type)) this.setAttribute("value", value);
    else this.dirtyValue = String(value);
  }
  get defaultChecked() { return this.hasAttribute("checked"); }
  set defaultChecked(is) { this.toggleAttribute("checked", is); }
  get checked() { return this.dirtyChecked ?? this.defaultChecked; }
  set checked(is) {
    if (is && this.type === "radio") {
      for (const other of this.form?.elements ?? []) if (other.type === "radio" && other.name === this.name) other.dirtyChecked = false;
    }
    this.dirtyChecked = Boolean(is);
  }
  checkVisibility() { return this.offsetParent !== null; }
}

for (const name of ["id", "name", "lang", "placeholder", "autocomplete", "inputMode"]) reflect(name, name.toLowerCase());
reflect("className", "class");
reflect("dateTime", "datetime");
for (const name of ["hidden", "disabled", "open"]) {
  Object.defineProperty(FakeElement.prototype, name, {
    get() { return this.hasAttribute(name); },
    set(is) { this.toggleAttribute(name, Boolean(is)); },
  });
}
function reflect(name, attribute) {
  Object.defineProperty(FakeElement.prototype, name, {
    get() { return this.getAttribute(attribute) ?? ""; },
    set(value) { this.setAttribute(attribute, value); },
  });
}

export class FakeDocument extends FakeNode {
  nodeType = 9;
  visibilityState = "visible";
  constructor(html) {
    super();
    const text = html.includes("<html") ? html : `<html><body>${html}</body></html>`;
    this.append(...parse(text));
    this.activeElement = this.body;
  }
  get documentElement() { return this.querySelector("html"); }
  get body() { return this.querySelector("body"); }
  get hidden() { return this.visibilityState === "hidden"; }
  get forms() { return this.querySelectorAll("form"); }
  get title() { return this.querySelector("title")?.textContent ?? ""; }
  set title(text) { const title = this.querySelector("title"); if (title) title.textContent = text; }
  createElement(tag) { return new FakeElement(tag); }
  importNode(node) { return node.cloneNode(true); }
}

// --- HTML ---

function parse(html) {
  const root = new Fragment(), open = [root];
  const into = () => open.at(-1).content ?? open.at(-1);
  for (const [, end, tag, words, text] of html.matchAll(/<!--[^]*?-->|<(\/?)([a-z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/gi)) {
    if (text) into().append(new Text(unescapeHtml(text)));
    else if (end) {
      while (open.length > 1 && open.pop().tagName !== tag.toUpperCase());
    } else if (tag) {
      const element = new FakeElement(tag);
      for (const [, name, value] of words.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) element.setAttribute(name, unescapeHtml(value ?? ""));
      into().append(element);
      if (!VOID.has(element.tagName)) open.push(element);
    }
  }
  return [...root.childNodes];
}

function write(node) {
  if (node.nodeType === 3) return escapeHtml(node.data);
  const tag = node.tagName.toLowerCase(), words = node.attributes.map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`).join("");
  return VOID.has(node.tagName) ? `<${tag}${words}>` : `<${tag}${words}>${node.innerHTML}</${tag}>`;
}

// --- selectors ---

// Splits at commas, or spaces, that are in no brackets and quotes.
function split(text, at) {
  const parts = [""];
  let depth = 0, quoted = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    if (!quoted && "([".includes(letter)) depth++;
    if (!quoted && ")]".includes(letter)) depth--;
    if (letter === at && depth === 0 && !quoted) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

const fits = (element, selector, scope) => split(selector, ",").some((part) => fitsChain(element, split(part.replace(/\s*>\s*/g, " > "), " "), scope));

function fitsChain(element, chain, scope) {
  if (!fitsOne(element, chain.at(-1), scope)) return false;
  const rest = chain.slice(0, -1);
  if (!rest.length) return true;
  if (rest.at(-1) === ">") return Boolean(element.parentElement) && fitsChain(element.parentElement, rest.slice(0, -1), scope);
  for (let place = element.parentElement; place; place = place.parentElement) if (fitsChain(place, rest, scope)) return true;
  return false;
}

const PSEUDO = {
  checked: (element) => element.checked,
  disabled: (element) => element.disabled,
  scope: (element, _inner, scope) => element === scope,
  empty: (element) => element.childNodes.length === 0,
  not: (element, inner, scope) => !fits(element, inner, scope),
  is: (element, inner, scope) => fits(element, inner, scope),
  has: (element, inner) => element.querySelector(inner) !== null,
  "last-of-type": (element) => element.parentNode.children.filter(({ tagName }) => tagName === element.tagName).at(-1) === element,
};

const PART = /^(?:(?<tag>[a-z][\w-]*|\*)|#(?<id>[\w-]+)|\.(?<name>[\w-]+)|\[(?<attribute>[\w-]+)(?:(?<operator>[*^$~]?=)"?(?<value>[^"\]]*)"?)?\]|:(?<pseudo>[\w-]+))/i;

function fitsOne(element, simple, scope) {
  for (let rest = simple; rest;) {
    const part = PART.exec(rest);
    if (!part) throw new Error(`selector ${simple}`);
    rest = rest.slice(part[0].length);
    const inner = rest.startsWith("(") ? readBrackets(rest) : "";
    if (inner) rest = rest.slice(inner.length + 2);
    if (!fitsPart(element, part.groups, inner, scope)) return false;
  }
  return true;
}

function fitsPart(element, { tag, id, name, attribute, operator, value, pseudo }, inner, scope) {
  if (tag) return tag === "*" || element.tagName === tag.toUpperCase();
  if (id) return element.id === id;
  if (name) return element.classList.contains(name);
  if (attribute) return fitsAttribute(element.getAttribute(attribute), operator, value);
  return PSEUDO[pseudo](element, inner, scope);
}

function readBrackets(text) {
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (depth === 0) return text.slice(1, at);
  }
  throw new Error(`brackets ${text}`);
}

function fitsAttribute(held, operator, value) {
  if (held === null) return false;
  if (operator && operator !== "=" && !value) return false; // as in browsers
  if (operator === "^=") return held.startsWith(value);
  if (operator === "$=") return held.endsWith(value);
  if (operator === "*=") return held.includes(value);
  return operator ? held === value : true;
}
