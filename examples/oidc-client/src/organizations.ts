import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** A tenant of the service, as this application knows it: with a client that is registered in that tenant only. */
export type Organization = {
	slug: string;
	name: string;
	tenantId: string;
	issuer: string;
	clientId: string;
	clientSecret: string;
};

// your application keeps them in its database, with the secret encrypted
const FILE = new URL("../organizations.json", import.meta.url);

export const readOrganizations = (): Organization[] =>
	existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Organization[]) : [];

export const writeOrganizations = (organizations: Organization[]): void =>
	writeFileSync(FILE, `${JSON.stringify(organizations, null, "\t")}\n`, { mode: 0o600 });
