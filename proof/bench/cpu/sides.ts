import { HANDLERS, type HandlerName } from "../stage/engine.ts";
import type { SideSettings } from "../stage/sides.ts";

export type SideName = "bare" | `tenants, ${HandlerName} handler`;
type Side = Pick<SideSettings, "kind" | "handler"> & { name: SideName; title: string };

/** The engine alone, and tenants with each handler. The first is what the others are compared with; the last is judged. */
export const SIDES: Side[] = [
	{ name: "bare", kind: "bare", handler: "engine", title: "alone" },
	...(Object.keys(HANDLERS) as HandlerName[]).map(
		(handler): Side => ({
			name: `tenants, ${handler} handler`,
			kind: "tenants",
			handler,
			title: `with tenants, ${HANDLERS[handler].title}`,
		}),
	),
];
