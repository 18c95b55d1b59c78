import type { SideSettings } from "../stage/sides.ts";

export const SIDES = ["bare", "endpoints", "tenants"] as const satisfies SideSettings["kind"][];
export type SideName = (typeof SIDES)[number];
