import { resultsIn } from "test-kit/results/results-in";

export const { write: writeResult, read: readResult } = resultsIn(new URL("./results/", import.meta.url));

export const resultName = (engine: string, part: string): string => `${engine}-${part}`;
