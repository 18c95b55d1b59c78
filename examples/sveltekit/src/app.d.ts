import type { Session, Tenant } from "./lib/server/auth.ts";

declare global {
	namespace App {
		interface Locals {
			/** null on the platform */
			tenant: Tenant | null;
			/** null if nobody is signed in to this tenant */
			session: Session | null;
		}
	}
}
