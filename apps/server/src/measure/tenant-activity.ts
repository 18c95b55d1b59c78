import type { TenantActivity } from "better-auth-tenants";
import { Counter, Gauge, type Registry } from "prom-client";

/** Adds metrics of password hashing and of deletions. */
export const observeActivity = (read: () => Promise<TenantActivity>, registers: Registry[]): void => {
	new Gauge({
		name: "password_hashes",
		help: "Password hashes: running, and requests waiting for one",
		labelNames: ["state"] as const,
		registers,
		async collect() {
			const { hashing } = await read();
			this.set({ state: "running" }, hashing.running);
			this.set({ state: "waiting" }, hashing.waiting);
		},
	});
	new Gauge({
		name: "tenant_deletions_running",
		help: "Tenants that this process is deleting",
		registers,
		async collect() {
			this.set((await read()).deletions.running);
		},
	});
	new Counter({
		name: "tenant_deletions_total",
		help: "Deletions of tenants that completed or failed. A failed one continues when the tenant is deleted again",
		labelNames: ["outcome"] as const,
		registers,
		async collect() {
			const { completed, failed } = (await read()).deletions;
			this.reset();
			this.inc({ outcome: "completed" }, completed);
			this.inc({ outcome: "failed" }, failed);
		},
	});
};
