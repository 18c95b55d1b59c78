import { createAuthClient } from "better-auth/react";

// the host of the page decides the tenant, so the client needs no setting
export const authClient = createAuthClient();
