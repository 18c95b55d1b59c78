import { hc, type InferResponseType } from "hono/client";
import type { Routes } from "../server/app.ts";

export const { api } = hc<Routes>(location.origin);

export type User = InferResponseType<typeof api.users.$get, 200>[number];
