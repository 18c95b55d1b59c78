import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Runs a check to its end, whatever becomes of it: one that fails or takes too long is a finding like any other. */
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
				resolve([wrong(`The check took more than ${seconds} s`, "Look at what it asks, and at the network between.")]),
			seconds * 1000,
		);
	});
	try {
		return await Promise.race([check(), late]);
	} catch (error) {
		const { says, mend } = describeFailure(error);
		return [wrong(`The check itself did not work: ${says}`, mend)];
	} finally {
		clearTimeout(timer);
	}
};
