/** Reads settings from the environment before anything has started. */
import { z } from "zod";

/** The message has one sentence per invalid setting. Values are omitted, because they may be secrets. */
export class ConfigError extends Error {
	override name = "ConfigError";
}

/**
 * Reads the settings that `schema` describes from the environment. An empty variable counts as absent.
 * @throws ConfigError that names every invalid setting
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

/** An address of the service in normal form without a trailing slash: it is compared as text, and paths are appended to it. */
export const siteAddress = () => z.url().transform((url) => new URL(url).href.replace(/\/+$/, ""));
