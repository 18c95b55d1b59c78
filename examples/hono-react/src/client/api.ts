import { hc, type InferResponseType } from "hono/client";
import type { Routes } from "../server/app.ts";

export const { api } = hc<Routes>(location.origin);

export type Tenant = NonNullable<InferResponseType<typeof api.tenant.$get, 200>>;
export type User = InferResponseType<typeof api.users.$get, 200>[number];
