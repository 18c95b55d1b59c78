import { endpointOf } from "./endpoints.ts";
import { addressedPath } from "./tenant-address.ts";

/** The path of the engine's endpoint behind one of ours. Returns any other path unchanged. */
export const delegateOf = (path: string): string => addressedPath(path) ?? endpointOf(path).delegatesTo ?? path;
