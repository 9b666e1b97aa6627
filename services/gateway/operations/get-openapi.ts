import { createHash } from "node:crypto";
import type { Handler } from "#libs/contract/index.ts";
import { basePlaceholder } from "../documents/call.ts";
import type { LiveExamples } from "../documents/live-examples.ts";
import { type DocumentOptions, openapiDocument } from "../documents/openapi.ts";

/** Derived again only when an example answers something else: describing every reply takes its time. Samples call the address that the request was sent to. */
export function getOpenapi(
	publicUrl: string,
	options?: DocumentOptions,
	examples: () => Promise<LiveExamples> = async () => new Map(),
): Handler<"getOpenapi"> {
	let made: { of: string; json: string } | undefined;
	return async (_params, { http }) => {
		const live = withoutTheHour(await examples());
		const of = digest(live);
		if (made?.of !== of)
			made = { of, json: JSON.stringify(openapiDocument(publicUrl === "" ? undefined : publicUrl, options, live)) };
		const site = JSON.stringify(http?.site ?? "").slice(1, -1);
		return { json: made.json.replaceAll(basePlaceholder, () => site), dataVersion: 0 };
	};
}

/** An answer that states the time would make another document of every moment, and of every replica. */
function withoutTheHour(live: LiveExamples): LiveExamples {
	return new Map(
		[...live].map(([name, example]) => {
			const tellsTime = /"(timestamp|checked_at|generated_at)":/.test(JSON.stringify(example.answer?.value ?? null));
			return [name, tellsTime ? { ...example, answer: undefined, tag: "-" } : example];
		}),
	);
}

function digest(live: LiveExamples): string {
	const hash = createHash("sha1");
	for (const name of [...live.keys()].sort()) hash.update(`${name} ${live.get(name)?.tag}\n`);
	return hash.digest("base64");
}
