import { type Environment, readSecretFiles } from "../config/secret-files.ts";
import { checkConfiguration } from "./check-configuration.ts";
import type { Finding } from "./finding.ts";
import { quietly } from "./quietly.ts";
import { redactFindings, secretsOf } from "./redact.ts";
import { runDoctor } from "./run-doctor.ts";

/** Runs all checks on an environment. The findings contain no secrets. */
export const examine = async (environment: Environment): Promise<Finding[]> => {
	const { findings, config } = checkConfiguration(environment);
	const all = [...findings, ...(await quietly(() => runDoctor(config)))];
	return redactFindings(all, secretsOf({ ...environment, ...readSecretFiles(environment, []) }));
};
