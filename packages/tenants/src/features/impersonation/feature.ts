import type { Feature } from "../feature.ts";
import type { Management } from "../management/management.ts";
import { impersonateUser } from "./impersonate-user.ts";

type Given = { management: Management; options: { impersonation: Parameters<typeof impersonateUser>[1] } };

/** Sessions of operators in a user's place. */
export const impersonation = {
	endpoints: ({ management, options }: Given) => ({
		impersonateTenantUser: impersonateUser(management, options.impersonation),
	}),
} satisfies Feature;
