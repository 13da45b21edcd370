// What the scripts of a page may take for granted, though the library of tsc cannot know it.

// A template and its scripts go together: a place that a script looks up by name is there, or is asked for with `?.`.
// All our elements are HTML; which kind of element it is, the place says that the value is put into.
interface ParentNode {
  querySelector<T extends Element = HTMLElement>(selectors: string): T;
  querySelectorAll<T extends Element = HTMLElement>(selectors: string): NodeListOf<T>;
}
interface NonElementParentNode {
  getElementById<T extends Element = HTMLElement>(id: string): T;
}
interface Document {
  getElementById<T extends Element = HTMLElement>(id: string): T;
}
interface Element {
  closest<T extends Element = HTMLElement>(selectors: string): T;
}
interface DocumentFragment {
  getElementById<T extends Element = HTMLElement>(id: string): T;
}

// A form's fields by their names: one field, or a group of switches, of which `value` is the chosen one's.
interface HTMLFormControlsCollection {
  [name: string]: any;
}
