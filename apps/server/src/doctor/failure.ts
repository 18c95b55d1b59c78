import { getSystemErrorName } from "node:util";

/** What the network, PostgreSQL, Redis and SMTP servers say when they refuse, by code, with the mend. */
const KNOWN: Record<string, [says: string, mend: string]> = {
	ECONNREFUSED: ["nothing listens there", "Start it, or correct host and port."],
	ENOTFOUND: ["the host's name is not known", "Correct the name, or look at the name server."],
	EAI_AGAIN: ["the name server does not answer", "Look at the name server."],
	EDNS: ["the host's name is not known", "Correct the name, or look at the name server."],
	ETIMEDOUT: ["it does not answer in time", "Look whether a firewall stands between, or whether it is overloaded."],
	ETIME: ["it does not answer in time", "Look whether a firewall stands between, or whether it is overloaded."],
	ESOCKET: ["the connection broke", "Look at its log, and whether both sides speak TLS."],
	ECONNRESET: ["the connection broke", "Look at its log, and whether both sides speak TLS."],
	EHOSTUNREACH: ["there is no way to its host", "Look at the network between."],
	ENETUNREACH: ["there is no way to its host", "Look at the network between."],
	"28P01": ["it refuses the password", "Correct user and password."],
	"28000": ["it lets this user in from nowhere here", "Correct user and password, or its pg_hba.conf."],
	"3D000": ["it has no such database", "Make the database, or correct its name."],
	"53300": ["all of its connections are taken", "Lower DATABASE_POOL_SIZE, raise max_connections, or use PgBouncer."],
	"57P03": ["it is starting or shutting down", "Wait a moment, and look at its log."],
	"42501": ["this user may not do that", "Give the user its rights."],
	"42P01": ["its tables are not there", "Run `tenants migrate`."],
	"42703": ["its tables are of another version", "Run `tenants migrate`."],
	"57014": ["it took too long", "Look for what keeps the database busy."],
	WRONGPASS: ["it refuses the password", "Correct user and password."],
	NOAUTH: ["it wants a password", "Give the password."],
	NOSENTINELS: ["none of its Sentinels answers", "Start them, or correct REDIS_SENTINELS."],
	EAUTH: ["it refuses user and password", "Correct them."],
	ETLS: ["there is no TLS between you", "Use smtps:, or the port of STARTTLS."],
	CERT_HAS_EXPIRED: ["its certificate has expired", "Renew the certificate."],
	DEPTH_ZERO_SELF_SIGNED_CERT: ["its certificate is not trusted", "Name your authority in NODE_EXTRA_CA_CERTS."],
	SELF_SIGNED_CERT_IN_CHAIN: ["its certificate is not trusted", "Name your authority in NODE_EXTRA_CA_CERTS."],
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["its certificate is not trusted", "Name your authority in NODE_EXTRA_CA_CERTS."],
	ERR_TLS_CERT_ALTNAME_INVALID: ["its certificate is of another host", "Correct the host, or the certificate."],
};

/**
 * Says a failure in our own words. What drivers and servers write may hold addresses, users and passwords; their codes
 * hold nothing, so an unknown failure is told by its code.
 */
export const describeFailure = (error: unknown): { says: string; mend: string; isKnown: boolean } => {
	const code = codeOf(error);
	const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined;
	const [says, mend] = known ?? [`it failed with ${code}`, "Look at its log."];
	return { says, mend, isKnown: known !== undefined };
};

const codeOf = (error: unknown): string => {
	if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
	if (!(error instanceof Error)) return "FAILED";
	// nodemailer gives one code to all that happens to a connection
	if ("errno" in error && typeof error.errno === "number" && "code" in error && error.code === "ESOCKET")
		return getSystemErrorName(error.errno);
	if ("code" in error && typeof error.code === "string" && /^[A-Za-z0-9_]+$/.test(error.code)) return error.code;
	return codeInWords(error) ?? (error.cause instanceof Error ? codeOf(error.cause) : plainName(error));
};

/** Drivers that give no code say it in their own words, which are looked at and not repeated. */
const codeInWords = ({ name, message }: Error): string | null => {
	if (/^All sentinels are unreachable/.test(message)) return "NOSENTINELS";
	// Redis says its codes as the first word
	const [first = ""] = message.split(" ");
	if (/^[A-Z]{4,}$/.test(first) && Object.hasOwn(KNOWN, first)) return first;
	const isLate = ["TimeoutError", "MaxRetriesPerRequestError"].includes(name) || /\btime(d )?out\b/i.test(message);
	return isLate ? "ETIMEDOUT" : null;
};

const plainName = ({ name }: Error): string => (/^[A-Za-z]+$/.test(name) ? name : "FAILED");
