import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { buttonClass } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { nameOf } from "./known-providers.ts";
import { TestOutcome } from "./test-card.tsx";
import { testChannel } from "./test-result.ts";

const FROM = "/signed-in/tenant/$tenantId/providers/$providerId/tested";

/** Where a test returns to. Tells the tab that started it. */
export const TestedPage = () => {
	const { tenantId, providerId } = useParams({ from: FROM });
	const { "oauth-test": outcome, error = null } = useSearch({ from: FROM });
	const result = useMemo(() => ({ isOk: outcome === "ok", error }), [outcome, error]);
	useEffect(() => {
		const channel = testChannel(tenantId, providerId);
		channel.postMessage(result);
		channel.close();
	}, [tenantId, providerId, result]);
	return (
		<>
			<PageHeader title={`Test of ${nameOf(providerId)}`} intro="You can close this tab." />
			<div className="grid max-w-2xl gap-5">
				<TestOutcome result={result} />
				<div>
					<Link
						to="/tenant/$tenantId/providers/$providerId"
						params={{ tenantId, providerId }}
						className={buttonClass()}
					>
						Back to the credentials
					</Link>
				</div>
			</div>
		</>
	);
};
