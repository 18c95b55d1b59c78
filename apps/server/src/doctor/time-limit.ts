import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Runs a check with a time limit. A check that fails or times out is a finding. */
export const withinTime = async (
	name: string,
	seconds: number,
	check: () => Promise<Finding[]>,
): Promise<Finding[]> => {
	const { wrong } = findingsOf(name);
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<Finding[]>((resolve) => {
		timer = setTimeout(
			() =>
				resolve([
					wrong(
						`The check took more than ${seconds} s`,
						"Check the service it connects to, and the network in between.",
					),
				]),
			seconds * 1000,
		);
	});
	try {
		return await Promise.race([check(), late]);
	} catch (error) {
		const { says, fix } = describeFailure(error);
		return [wrong(`The check itself failed: ${says}`, fix)];
	} finally {
		clearTimeout(timer);
	}
};
