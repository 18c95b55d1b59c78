import { type Command, Option } from "commander";
import { LOCALES } from "../../lib/locales.ts";
import { alignFields } from "../../lib/plain-text.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { type Tenant, tenantAnswer } from "./tenant.ts";

/** The options and the fields of `metadata.mail` that they set. */
const FIELDS = { locale: "locale", "sender-name": "senderName", from: "from", "reply-to": "replyTo" } as const;

type FieldOption = keyof typeof FIELDS;
type Given = Partial<Record<(typeof FIELDS)[FieldOption], string>>;
type Options = ClientOptions & Given & { clear?: FieldOption[] };

/** `tenant mail` */
export const addTenantMail = (tenant: Command): void => {
	clientCommand(tenant, "mail", {
		says: "Show or set the language and the sender of a tenant's mails. Running servers use them after TENANT_CACHE_MAX_AGE",
		example: "tenant mail acme --locale de --from noreply@acme.com",
	})
		.argument("<slug>", "the tenant's slug")
		.addOption(new Option("--locale <locale>", "the language").choices(LOCALES))
		.option("--sender-name <name>", "the sender's name, instead of the tenant's")
		.option("--from <address>", "the sender's address, at a domain in MAIL_SENDER_DOMAINS")
		.option("--reply-to <address>", "the address for replies")
		.addOption(new Option("--clear <field...>", "remove these settings").choices(Object.keys(FIELDS)))
		.action(async (slug: string, { clear = [], locale, senderName, from, replyTo, ...options }: Options) => {
			const { api, output } = openClient(options);
			const found = await api.get("/tenant/get", { answer: tenantAnswer, query: { slug } });
			const given = present({ locale, senderName, from, replyTo });
			if (clear.length === 0 && Object.keys(given).length === 0) {
				await output.result(mailOf(found), mailText(found));
				return;
			}
			const cleared = clear.map((option): string => FIELDS[option]);
			const kept = Object.entries(mailOf(found)).filter(([field]) => !cleared.includes(field));
			const body = { tenantId: found.id, metadata: merged(found, { ...Object.fromEntries(kept), ...given }) };
			const updated = await api.post("/tenant/update", { answer: tenantAnswer, body, repeatable: true });
			await output.result(mailOf(updated), mailText(updated));
		});
};

const present = (given: Record<string, string | undefined>): Record<string, string> =>
	Object.fromEntries(Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));

const mailOf = ({ metadata }: Tenant): Record<string, unknown> => {
	const mail = metadata?.mail;
	return typeof mail === "object" && mail !== null ? { ...mail } : {};
};

/** The rest of the metadata stays. */
const merged = ({ metadata }: Tenant, mail: Record<string, unknown>): Record<string, unknown> => {
	const { mail: _, ...others } = metadata ?? {};
	return Object.keys(mail).length > 0 ? { ...others, mail } : others;
};

const mailText = (tenant: Tenant): string => {
	const mail = mailOf(tenant);
	const rows = Object.entries(FIELDS).map(([option, field]) => [
		option,
		mail[field] === undefined ? "(default)" : String(mail[field]),
	]);
	return alignFields({ tenant: tenant.slug, ...Object.fromEntries(rows) });
};
