import type { TenantDeletion } from "./deletion.ts";

/** Deletions of this process: how many run, and how many ended in which way. */
export type DeletionCounts = { running: number; completed: number; failed: number };

/** Counts deletions. One that failed, or that its process did not survive, continues when it is called again. */
export const countDeletions = (
	deletion: TenantDeletion,
): { deletion: TenantDeletion; counts: () => DeletionCounts } => {
	const counts: DeletionCounts = { running: 0, completed: 0, failed: 0 };
	return {
		counts: () => ({ ...counts }),
		deletion: async (tenantId) => {
			counts.running += 1;
			try {
				await deletion(tenantId);
				counts.completed += 1;
			} catch (error) {
				counts.failed += 1;
				throw error;
			} finally {
				counts.running -= 1;
			}
		},
	};
};
