import { createAuthMiddleware } from "@better-auth/core/api";
import * as z from "zod";
import type { ManagementAction } from "../../endpoints/action.ts";
import { managementOf } from "../management/management.ts";

/** Stands in an endpoint's `use` list. The handler audits what is allowed, because only it knows the user. */
export const guardUsers = (action: ManagementAction, target: "body" | "query" = "body") =>
	createAuthMiddleware(async (ctx) => managementOf(ctx).enforce(ctx, { action, target, recordedByHandler: true }));

/** The input of an endpoint about one user. */
export const userInput = {
	tenantId: z.string().meta({ description: "The tenant of the user" }),
	userId: z.string().min(1).max(255).meta({ description: "The user" }),
};
