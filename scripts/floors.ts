/**
 * The houses of the repository: their floors, the lowest first, and what is on them. A floor imports what is below it; entries lie on
 * top of all.
 */
export const HOUSES = {
	"packages/tenants/src": {
		lib: "What knows neither Better Auth nor tenants",
		errors: "What endpoints refuse, by code",
		engine: "What we know of Better Auth's inside, one thing in one file",
		resolve: "From a request to the tenant that it asks for",
		endpoints: "What each endpoint is and may do, by its path",
		scope: "Pins a request to one tenant, and Better Auth to the pin",
		load: "How much each tenant may use",
		features: "One folder for what tenants, admins and users can do",
		plugin: "Folds the features into one plugin",
	},
	"apps/server/src": {
		lib: "What knows neither the service nor its configuration",
		branding: "The look of a tenant",
		config: "Reads and checks the environment, once",
		observe: "Log, audit log, traces",
		"foreign-hashes": "Passwords from other systems",
		request: "What an HTTP request says",
		tenants: "Looks tenants up, and acts for them",
		database: "The pool, and what is known of the server behind it",
		jobs: "Work that outlasts a request",
		sms: "Sends codes",
		redis: "Storage of sessions and counters",
		schema: "Tables, and how they change under load",
		mail: "Writes, stores and sends mails",
		sweep: "Deletes what has expired",
		measure: "Metrics, and sign-ins per tenant",
		console: "Endpoints of the console",
		operators: "Who manages every tenant, and what they changed",
		auth: "Configures Better Auth",
		http: "From a socket to Better Auth and back",
		pages: "Sign-in pages",
		serve: "Opens all parts, and closes them",
		doctor: "Examines an installation",
		"command-line": "Commands",
	},
} as const;
