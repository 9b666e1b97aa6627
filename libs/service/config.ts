/** Settings come from the environment, are described by one zod object, and are wrong before anything has started. */
import type { z } from "zod";

/** Its message is one sentence for each wrong setting, for a person at a terminal: no value is repeated, it may be a secret. */
export class ConfigError extends Error {
	override name = "ConfigError";
}

/**
 * The settings that `schema` describes, its keys being names of the environment. A setting that is empty is absent.
 * @throws ConfigError that names every wrong setting.
 */
export function loadConfig<S extends z.ZodObject>(schema: S, env: Record<string, string | undefined>): z.output<S> {
	const given = Object.fromEntries(
		Object.keys(schema.shape).flatMap((key) => (env[key] === undefined || env[key] === "" ? [] : [[key, env[key]]])),
	);
	const parsed = schema.safeParse(given);
	if (parsed.success) return parsed.data;
	const sentences = parsed.error.issues.map((issue) => {
		const name = issue.path.join(".") || "the settings together";
		if (!(name in given) && issue.path.length === 1) return `The setting ${name} is missing.`;
		return `The setting ${name} is wrong: ${issue.message}.`;
	});
	throw new ConfigError(sentences.join("\n"));
}
