export { assertTenantIsolation, findTenantLeaks } from "./testing/assert-tenant-isolation.ts";
export type { IsolationOptions, NewPerson, SignedUp, TestedAuth } from "./testing/options.ts";
export type { IsolationReport, Leak } from "./testing/report.ts";
export type { Input, Person, Side } from "./testing/side.ts";
