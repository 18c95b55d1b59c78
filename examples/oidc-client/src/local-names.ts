/**
 * Lets `fetch` of a process find `acme.localhost`, for development: `node --import ./src/local-names.ts`. Browsers resolve such
 * names themselves, but Node asks the system, and not every system does.
 */
import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, setGlobalDispatcher } from "undici";

const resolveLocally: LookupFunction = (host, options, callback) =>
	lookup(host.endsWith(".localhost") ? "localhost" : host, options, callback);

setGlobalDispatcher(new Agent({ connect: { lookup: resolveLocally } }));
