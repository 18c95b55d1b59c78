import { useQuery } from "@tanstack/react-query";
import type { TenantPolicy } from "better-auth-tenants/policy";
import { useState } from "react";
import { policyQuery } from "../../api/policy.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { canChangeTenant } from "../authority.ts";
import { useTenantId } from "../use-tenant.ts";
import { describeValue } from "./describe.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { RULE_GROUPS, type Rule } from "./rules.ts";

/** The sign-in rules of a tenant: what it set, and what it inherits from the service. */
export const PolicyPage = () => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const { data: policy, error, refetch } = useQuery(policyQuery(tenantId));
	const [edited, setEdited] = useState<Rule | null>(null);
	const canChange = canChangeTenant(viewer);
	const shows = ({ needs, name }: Rule): boolean =>
		!needs || viewer.features[needs] === true || policy?.own?.[name] != null;
	return (
		<>
			<PageHeader
				title="Policy"
				intro="How users of this tenant sign in. Rules that are not set here are inherited from the service."
			/>
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!policy && !error && (
				<Card isFlush>
					<SkeletonRows rows={8} />
				</Card>
			)}
			{policy && (
				<div className="grid max-w-4xl gap-6">
					{policy.own === null && (
						<Notice tone="danger" title="The stored policy cannot be read">
							Users cannot sign in until every rule that the tenant needs is set again.
						</Notice>
					)}
					{!canChange && <Notice>Only owners can change the policy. Ask an owner of the tenant.</Notice>}
					{RULE_GROUPS.map(({ title, rules }) => ({ title, rules: rules.filter(shows) }))
						.filter(({ rules }) => rules.length > 0)
						.map(({ title, rules }) => (
							<Card key={title} title={title} isFlush>
								<ul className="border-t border-hair">
									{rules.map((rule) => (
										<RuleRow
											key={rule.name}
											rule={rule}
											policy={policy}
											{...(canChange ? { onEdit: () => setEdited(rule) } : {})}
										/>
									))}
								</ul>
							</Card>
						))}
					{edited && <RuleDialog rule={edited} policy={policy} onClose={() => setEdited(null)} />}
				</div>
			)}
		</>
	);
};

type RuleRowProps = { rule: Rule; policy: TenantPolicy; onEdit?: () => void };

const RuleRow = ({ rule, policy, onEdit }: RuleRowProps) => {
	const isOwn = policy.own?.[rule.name] != null;
	const value = describeValue(rule, policy.effective[rule.name]);
	return (
		<li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 border-b border-hair px-5 py-3.5 last:border-b-0 sm:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_auto] sm:gap-x-6">
			<div>
				<h3 className="text-base font-medium">{rule.title}</h3>
				<p className="text-sm text-pretty text-soft">{rule.says}</p>
			</div>
			<div className="min-w-0 wrap-anywhere max-sm:col-start-1">
				{isOwn ? (
					<span className="flex flex-wrap items-center gap-x-2 gap-y-1">
						<span className="font-medium">{value}</span> <Badge tone="accent">Set here</Badge>
					</span>
				) : (
					<span className="text-soft">Inherited: {value}</span>
				)}
			</div>
			{onEdit && (
				<div className="max-sm:col-start-2 max-sm:row-start-1 max-sm:self-start">
					<Button onClick={onEdit} aria-label={`Change ${rule.title}`}>
						Change
					</Button>
				</div>
			)}
		</li>
	);
};
