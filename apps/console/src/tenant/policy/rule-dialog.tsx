import type { TenantPolicy } from "better-auth-tenants/policy";
import { type FormEvent, useState } from "react";
import { changeRule } from "../../api/policy.ts";
import { Problem } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload, useTenantId } from "../use-tenant.ts";
import { readRule } from "./read-rule.ts";
import { RuleFields } from "./rule-fields.tsx";
import type { Rule } from "./rules.ts";

const LOCKOUTS = ["POLICY_LOCKS_YOU_OUT", "POLICY_LOCKS_EVERYONE_OUT"];

const WARNINGS: Record<string, string> = {
	POLICY_LOCKS_YOU_OUT: "With this rule you could not sign in again, and this session would end.",
	POLICY_LOCKS_EVERYONE_OUT: "With this rule, nobody could sign in, because the tenant has no SSO provider.",
};

type RuleDialogProps = { rule: Rule; policy: TenantPolicy; onClose: () => void };

/** Changes one rule. What would lock the viewer out needs a second, deliberate press. */
export const RuleDialog = ({ rule, policy, onClose }: RuleDialogProps) => {
	const tenantId = useTenantId();
	const reload = useReload();
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	/** what the service refused because it would lock somebody out */
	const [risky, setRisky] = useState<unknown>(undefined);
	const own = policy.own?.[rule.name];
	const lockout = problem instanceof Problem && problem.code && LOCKOUTS.includes(problem.code) ? problem.code : null;
	const change = async (value: unknown, force = false): Promise<void> => {
		if (isBusy) return;
		setBusy(true);
		setProblem(null);
		try {
			await changeRule(tenantId, rule.name, value, force);
			await reload();
			say(value === null ? `Inherited again: ${rule.title}` : `Saved: ${rule.title}`);
			onClose();
		} catch (refused) {
			setRisky(value);
			setProblem(refused);
			setBusy(false);
		}
	};
	const submit = (event: FormEvent<HTMLFormElement>): void => {
		event.preventDefault();
		void change(readRule(rule, new FormData(event.currentTarget)));
	};
	return (
		<Dialog title={rule.title} intro={rule.says} isOpen onClose={onClose}>
			<form onSubmit={submit} className="grid gap-4">
				<RuleFields rule={rule} value={own ?? policy.effective[rule.name]} />
				{lockout ? (
					<Notice
						tone="danger"
						title={WARNINGS[lockout] ?? "This rule locks someone out."}
						actions={
							<Button kind="danger" isBusy={isBusy} onClick={() => void change(risky, true)}>
								Set it anyway
							</Button>
						}
					>
						<span className="font-mono text-xs">{lockout}</span>
					</Notice>
				) : (
					problem !== null && <ErrorNotice error={problem} />
				)}
				<DialogActions>
					{own != null && (
						<Button kind="quiet" className="mr-auto" isBusy={isBusy} onClick={() => void change(null)}>
							Return to inherited
						</Button>
					)}
					<Button onClick={onClose}>Cancel</Button>
					<Button type="submit" kind="primary" isBusy={isBusy}>
						Set rule
					</Button>
				</DialogActions>
			</form>
		</Dialog>
	);
};
