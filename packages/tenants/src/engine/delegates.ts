import { addressedPath } from "../resolve/tenant-address.ts";
import { endpointOf } from "./endpoints.ts";

/** The engine's endpoint behind one of ours; any other path stands for itself. */
export const delegateOf = (path: string): string => addressedPath(path) ?? endpointOf(path).delegatesTo ?? path;
