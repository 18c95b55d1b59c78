import { getSystemErrorName } from "node:util";

/** Messages and fixes by error code of the network, PostgreSQL, Redis and SMTP servers. */
const KNOWN: Record<string, [says: string, fix: string]> = {
	ECONNREFUSED: ["nothing is listening there", "Start it, or correct the host and port."],
	ENOTFOUND: ["the host name could not be resolved", "Correct the name, or check your DNS."],
	EAI_AGAIN: ["the DNS server does not respond", "Check your DNS."],
	EDNS: ["the host name could not be resolved", "Correct the name, or check your DNS."],
	ETIMEDOUT: ["it does not respond in time", "Check for a firewall in between, and whether it is overloaded."],
	ETIME: ["it does not respond in time", "Check for a firewall in between, and whether it is overloaded."],
	ESOCKET: ["the connection was lost", "Check its log, and whether both sides use TLS."],
	ECONNRESET: ["the connection was lost", "Check its log, and whether both sides use TLS."],
	EHOSTUNREACH: ["its host is not reachable", "Check the network in between."],
	ENETUNREACH: ["its host is not reachable", "Check the network in between."],
	"28P01": ["it rejects the password", "Correct the user and password."],
	"28000": ["it does not allow this user from this host", "Correct the user and password, or its pg_hba.conf."],
	"3D000": ["the database does not exist", "Create the database, or correct its name."],
	"53300": ["all of its connections are in use", "Lower DATABASE_POOL_SIZE, raise max_connections, or use PgBouncer."],
	"57P03": ["it is starting or shutting down", "Wait a moment, and check its log."],
	"42501": ["this user lacks a permission", "Grant the permission."],
	"42P01": ["its tables are missing", "Run `tenants migrate`."],
	"42703": ["its tables have another version", "Run `tenants migrate`."],
	"57014": ["it took too long", "Find out what keeps the database busy."],
	WRONGPASS: ["it rejects the password", "Correct the user and password."],
	NOAUTH: ["it requires a password", "Set the password."],
	NOSENTINELS: ["none of its Sentinels responds", "Start them, or correct REDIS_SENTINELS."],
	EAUTH: ["it rejects the user and password", "Correct them."],
	ETLS: ["the connection has no TLS", "Use smtps:, or the STARTTLS port."],
	CERT_HAS_EXPIRED: ["its certificate has expired", "Renew the certificate."],
	DEPTH_ZERO_SELF_SIGNED_CERT: ["its certificate is not trusted", "Set NODE_EXTRA_CA_CERTS to your CA's file."],
	SELF_SIGNED_CERT_IN_CHAIN: ["its certificate is not trusted", "Set NODE_EXTRA_CA_CERTS to your CA's file."],
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["its certificate is not trusted", "Set NODE_EXTRA_CA_CERTS to your CA's file."],
	ERR_TLS_CERT_ALTNAME_INVALID: ["its certificate is for another host", "Correct the host or the certificate."],
};

/**
 * Describes a failure in our own words. Messages from drivers and servers may contain addresses, users and passwords.
 * Their codes do not, so an unknown failure is described by its code.
 */
export const describeFailure = (error: unknown): { says: string; fix: string; isKnown: boolean } => {
	const code = codeOf(error);
	const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined;
	const [says, fix] = known ?? [`it failed with ${code}`, "Check its log."];
	return { says, fix, isKnown: known !== undefined };
};

const codeOf = (error: unknown): string => {
	if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
	if (!(error instanceof Error)) return "FAILED";
	// nodemailer uses one code for all connection failures
	if ("errno" in error && typeof error.errno === "number" && "code" in error && error.code === "ESOCKET")
		return getSystemErrorName(error.errno);
	if ("code" in error && typeof error.code === "string" && /^[A-Za-z0-9_]+$/.test(error.code)) return error.code;
	return codeInWords(error) ?? (error.cause instanceof Error ? codeOf(error.cause) : plainName(error));
};

/** Recognizes the messages of drivers that give no code. The message itself is not repeated. */
const codeInWords = ({ name, message }: Error): string | null => {
	if (/^All sentinels are unreachable/.test(message)) return "NOSENTINELS";
	// Redis puts its code in the first word
	const [first = ""] = message.split(" ");
	if (/^[A-Z]{4,}$/.test(first) && Object.hasOwn(KNOWN, first)) return first;
	const isLate = ["TimeoutError", "MaxRetriesPerRequestError"].includes(name) || /\btime(d )?out\b/i.test(message);
	return isLate ? "ETIMEDOUT" : null;
};

const plainName = ({ name }: Error): string => (/^[A-Za-z]+$/.test(name) ? name : "FAILED");
