// What a service worker finds by name; the library of tsc declares it only as members of its scope.
declare var clients: Clients;
declare var registration: ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };
declare function skipWaiting(): Promise<void>;
declare function addEventListener<K extends keyof ServiceWorkerGlobalScopeEventMap>(
  type: K,
  listener: (event: ServiceWorkerGlobalScopeEventMap[K]) => void,
): void;
declare function addEventListener(type: "sync", listener: (event: ExtendableEvent) => void): void;

interface WorkerGlobalScope {
  offlineApp?: import("../../../../static/offline/types.js").OfflineApp;
}
interface RequestInit {
  priority?: "low" | "high" | "auto";
}
