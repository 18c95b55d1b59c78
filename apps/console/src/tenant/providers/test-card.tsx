import { CircleCheck, CircleX, ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { PLACE } from "../../place.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { describeTest, type TestResult, testChannel } from "./test-result.ts";

type State = "idle" | "running" | TestResult;

/** Signs in at the provider in a new tab, and shows here how it ended. Nobody is signed in to the tenant. */
export const TestCard = ({ tenantId, providerId }: { tenantId: string; providerId: string }) => {
	const [state, setState] = useState<State>("idle");
	const [problem, setProblem] = useState<unknown>(null);
	useEffect(() => {
		const channel = testChannel(tenantId, providerId);
		channel.onmessage = ({ data }: MessageEvent<TestResult>) => setState(data);
		return () => channel.close();
	}, [tenantId, providerId]);
	const start = async (): Promise<void> => {
		// opened by the click itself, because browsers block tabs that open later
		const tab = window.open("", "_blank");
		if (tab) tab.opener = null;
		setProblem(null);
		setState("running");
		try {
			const { url } = await unwrap(
				authClient.tenant.oauthConfig.test({
					tenantId,
					providerId,
					callbackURL: `${location.origin}${PLACE.console}/tenant/${tenantId}/providers/${providerId}/tested`,
				}),
			);
			if (tab) tab.location.href = url;
			else location.assign(url);
		} catch (refused) {
			tab?.close();
			setProblem(refused);
			setState("idle");
		}
	};
	return (
		<Card
			title="Test"
			intro="Sign in at the provider in a new tab to see whether these credentials work. Nobody is signed in here."
			actions={
				<Button onClick={() => void start()}>
					<ExternalLink className="size-4" aria-hidden /> Test credentials
				</Button>
			}
		>
			{problem !== null && <ErrorNotice error={problem} />}
			<div role="status">{state !== "idle" && problem === null && <Outcome state={state} />}</div>
		</Card>
	);
};

const Outcome = ({ state }: { state: Exclude<State, "idle"> }) => {
	if (state === "running") return <p className="text-soft">Sign in at the provider in the other tab.</p>;
	return <TestOutcome result={state} />;
};

/** How a test ended, also in the tab that returned from the provider. */
export const TestOutcome = ({ result }: { result: TestResult }) => {
	const Icon = result.isOk ? CircleCheck : CircleX;
	return (
		<div
			className={`flex gap-3 rounded-lg px-4 py-3 ${result.isOk ? "bg-good-soft text-good-ink" : "bg-danger-soft text-danger-ink"}`}
		>
			<Icon className="mt-0.5 size-4.5 shrink-0" aria-hidden />
			<div>
				<p className="font-medium">{result.isOk ? "It works" : "It does not work"}</p>
				<p className="text-sm">{describeTest(result)}</p>
			</div>
		</div>
	);
};
