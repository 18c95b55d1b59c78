import type { QueryClient } from "@tanstack/react-query";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { say } from "../../ui/toasts.tsx";

const running = new Map<string, Promise<void>>();

/** Whether this browser tab waits for the end of the deletion. */
export const isDeletingHere = (tenantId: string): boolean => running.has(tenantId);

/**
 * Deletes a tenant, or continues its deletion. The service needs its drain time at least, so the call outlives the dialog
 * that started it. A second call waits for the first.
 */
export const deleteTenant = (queries: QueryClient, { id, name }: { id: string; name: string }): Promise<void> => {
	const known = running.get(id);
	if (known) return known;
	const reload = (): void => {
		void queries.invalidateQueries({ queryKey: ["tenants"] });
		void queries.invalidateQueries({ queryKey: ["platform"] });
	};
	const deletion = unwrap(authClient.tenant.delete({ tenantId: id }))
		.then(() => {
			say(`${name} is deleted`, undefined, id);
			queries.removeQueries({ queryKey: ["tenant", id] });
		})
		.finally(() => {
			running.delete(id);
			reload();
		});
	running.set(id, deletion);
	return deletion;
};
