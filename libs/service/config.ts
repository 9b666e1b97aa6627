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
	const sentences = parsed.error.issues.map(({ path, message }) => {
		const name = path.join(".");
		if (name === "") return `The settings together are wrong: ${message}.`;
		return name in given ? `The setting ${name} is wrong: ${message}.` : `The setting ${name} is missing.`;
	});
	throw new ConfigError(sentences.join("\n"));
}
