// The shapes of what a device stores, and of the messages between its pages and its worker. Devices in the field hold rows of
// these shapes: a name here is never changed, only added.

/** @typedef {[name: string, value: string]} Field a field of a form, as it is sent */

// --- the database of pages: `companion`, see storage.js ---------------------------------------------

/**
 * A row of `waiting`: a form that was sent and that the server has not confirmed yet. In the order of their ids.
 * @typedef {object} Entry
 * @property {number} id
 * @property {string} mark the browser identity it belongs to; "nobody" before there was one
 * @property {string} match the id of its match; "" of a form outside any match
 * @property {string} action where it is sent
 * @property {string} page path and query of the page it was filled in on
 * @property {Field[]} fields
 * @property {string} name what kind of entry it is, in words
 * @property {string} text what was chosen and typed, in words
 * @property {string} at when it was sent first, ISO 8601
 * @property {number} opened when its page was opened, milliseconds: what this device wrote before that, the page knew
 * @property {string} [html] the form itself, of forms that grow while they are filled in
 * @property {"new" | "silent" | "refused"} state
 * @property {number} [until] not to be sent before, milliseconds
 * @property {string} [why] the server's reason for `until`
 * @property {string | number} [seq] the sequence number it was given, when it was renumbered
 */

/** @typedef {Omit<Entry, "id"> & {id?: number}} NewEntry an entry that may have no id yet */

/**
 * A row of `drafts`: what was typed into a form and not sent.
 * @typedef {object} Draft
 * @property {string} key identity and address of the form; of a changed entry also its id
 * @property {string} [mark] the browser identity it belongs to
 * @property {string} at when it was stored last, ISO 8601
 * @property {Field[]} fields
 * @property {string} [html] the form itself, of forms that grow while they are filled in
 * @property {string} [search] the query of its page
 * @property {string | number} [seq] the sequence number in the form
 * @property {string} [waiting] the id of the entry of the outbox that it changes
 * @property {number} [opened] as of an entry
 * @property {string} [version] the version of the app
 * @property {string} [lang]
 * @property {boolean} [done] a question that was answered
 * @property {undefined} [id] only entries have one
 */

/**
 * A row of `written`: the last entry of a match that this device wrote.
 * @typedef {object} Written
 * @property {string} key identity and match
 * @property {number} id of the entry
 * @property {string} match
 * @property {string} at when the entry was sent first, ISO 8601
 * @property {number} seen the sequence number it was made on
 * @property {number} seq the sequence number that follows it
 */

/** @typedef {{drafts: Draft, waiting: Entry, written: Written}} Stores */

/**
 * The outcome of sending an entry. "silent": it is not known whether it arrived, so it is sent again.
 * @typedef {object} Outcome
 * @property {"written" | "refused" | "silent"} outcome
 * @property {string} [to] written: where to go on
 * @property {number} [seq] written: the sequence number that follows it
 * @property {number} [status] refused
 * @property {string} [html] refused: the page that says why
 * @property {boolean} [failed] silent: the server failed over this entry
 * @property {boolean} [isTooMuch] silent: too many requests
 * @property {number} [until] silent: the server wants nothing of this kind before then, milliseconds
 * @property {string} [why] silent: its reason
 */

// --- the database of the offline app: `pocket:…`, see app/rows.js --------------------------------------

/** @typedef {(string | number)[]} Place the key of a row of the program's store, without the browser's mark */
/** @typedef {[Place, unknown]} Row a row of the program's store; the value null deletes it */

/**
 * What is known of a browser: rows of `meta`, by name.
 * @typedef {object} Known
 * @property {string} [key] the secret that the program signs with
 * @property {unknown} [seed] what the server gave the program to start with
 * @property {string} [token]
 * @property {string} [server] the version of the app at the server
 * @property {Record<string, string>} [cookies] of the program
 * @property {string} [chosen] the display settings that the program was given
 * @property {string} [shown] the display settings that the server announced last
 * @property {Record<string, [length: number, access: unknown]>} [have] how much of each match is here
 * @property {Record<string, number>} [ahead] how long the log of a match is at the server, if that is more
 * @property {number} [unsent] how many events are not at the server
 * @property {number} [aside] how many events wait for a decision
 * @property {Outgoing[]} [outgoing] all that is unsent, as it can be sent without the program
 * @property {unknown} [rulings] up to where saved rulings are here
 */

/** @typedef {Known & {mark: string}} Browser */
/** @typedef {{path: string, body: object, count: number}} Outgoing a delivery, and how much of what is unsent it brings */

/**
 * An answer of the server to `offline/news`; stored as text in `news` until the program reads it.
 * @typedef {object} News
 * @property {string} version
 * @property {string} me the mark of the browser
 * @property {unknown} seed
 * @property {string} token
 * @property {{id: string, from: number, events: unknown[], access: unknown}[]} matches
 * @property {string[]} gone
 * @property {unknown[]} rulings
 * @property {unknown} rulings_at
 * @property {boolean} more
 */

/**
 * The build of the offline app that a worker runs.
 * @typedef {object} Kit
 * @property {"phone" | "alone"} host whether there is a server behind the phone
 * @property {string} build
 * @property {string} version of the app
 * @property {string[]} files their addresses
 * @property {string} base the address of the folder of the build
 * @property {(options: object) => Promise<Pyodide>} loadPyodide
 * @property {(settings: object) => Promise<any>} createPyodideModule
 */

/**
 * What is used of Pyodide. It brings no types of its own here.
 * @typedef {object} Pyodide
 * @property {(code: string) => any} runPython
 * @property {{get: (name: string) => any}} globals
 * @property {() => Uint8Array<ArrayBuffer>} makeMemorySnapshot
 * @property {{mkdirTree: (path: string) => void, writeFile: (path: string, bytes: Uint8Array, options: object) => void}} FS
 */

/** @typedef {{status: number, headers: [string, string][], content: Uint8Array<ArrayBuffer>}} Answer of the program to a request */

/**
 * The program, running.
 * @typedef {object} Program
 * @property {(name: string, ...words: any[]) => any} call asks the bridge
 * @property {(method: string, url: string, body: ArrayBuffer | undefined, headers: Record<string, string>) => Answer} handle
 */

/**
 * `pocket/manifest.json`: what a device fetches to have the offline app; in a folder of files its `files` but modules are packed.
 * @typedef {{build: string, version: string, files: ManifestFile[], static: ManifestFile[], packed?: boolean}} Manifest
 */
/** @typedef {{name: string, bytes: number, raw: number}} ManifestFile with its size as it is sent, and unpacked */
/** @typedef {ManifestFile & {address: string, cache: RequestCache, packed?: boolean}} FetchedFile */

// --- messages -----------------------------------------------------------------------------------------

/**
 * What a page asks of a worker. `seen`: store this page; `forget`: forget all; `pocket`: a request to the offline app.
 * @typedef {{seen?: string, forget?: boolean, pocket?: "status" | "start" | "deliver" | "remove"}} PageMessage
 */

/**
 * The status of the offline app: the worker's answer to a page, and, as {pocket: Status}, its message to all pages.
 * @typedef {object} Status
 * @property {string} [mark] of the browser
 * @property {boolean} ready
 * @property {string} build
 * @property {string} version
 * @property {number} unsent
 * @property {number} aside
 * @property {string | null} fault
 * @property {number} missing how many of its files the browser has deleted
 * @property {boolean} starting whether it is being made ready
 * @property {boolean} outdated
 */

/** @typedef {{progress: unknown}} Progress how far the worker is with a request */

/** @typedef {{request: Request, waitUntil: (done: Promise<any>) => void}} Fetch an event of a worker: a page fetches */

/**
 * What the worker of pages (worker.js) asks of the offline app (app/worker.js), as `self.offlineApp`.
 * @typedef {object} OfflineApp
 * @property {(request: Request) => boolean} takes
 * @property {() => boolean} isReady
 * @property {() => number} patience milliseconds that the network is waited for
 * @property {(event: Fetch, body?: ArrayBuffer) => Promise<Response | null>} answerFirst
 * @property {(event: Fetch, body?: ArrayBuffer) => Promise<Response | null>} answer
 * @property {(event: Fetch, isSilent: (answer: Response) => boolean) => Promise<Response>} answerScript
 * @property {(request: Request, page: Response) => Promise<Response>} markLacking
 * @property {(request: Request) => Promise<Response | null>} makePlaceholder
 * @property {(event: Fetch, answer: Response) => Promise<void>} onAnswer
 * @property {() => void} markOffline
 * @property {() => Promise<void>} forget
 */

export {};
