export type Step = { name: string; seconds: number };

/** Times the steps of an example, and prints each when it is done. */
export const timeSteps = (example: string) => {
	const steps: Step[] = [];
	const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
		const began = performance.now();
		const result = await work();
		const seconds = Math.round((performance.now() - began) / 100) / 10;
		steps.push({ name, seconds });
		console.log(`${seconds.toFixed(1).padStart(7)} s  ${example}: ${name}`);
		return result;
	};
	return { steps, step };
};
