import { readAt } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { jsonText } from "../../lib/json-text.ts";
import { useRead } from "../../lib/use-read.ts";
import { callOf, exampleOf } from "./call.ts";
import type { Endpoint } from "./document.ts";
import { LongText } from "./long-text.tsx";
import type { Shared } from "./shared.ts";

/** What the call with the example's values answers: now, where pages may ask for it, else as the document has it. */
export function Example({ endpoint, shared }: { endpoint: Endpoint; shared: Pick<Shared, "reads"> }) {
	if (shared.reads.has(endpoint.id)) return <Live endpoint={endpoint} />;
	const example = endpoint.answers.find(([, content]) => content.example !== undefined)?.[1].example;
	if (example === undefined) return null;
	return (
		<>
			<h5>An answer, from the data that is loaded</h5>
			<LongText text={typeof example === "string" ? example : jsonText(example)} name="the answer" />
		</>
	);
}

/** Enough to see what an answer is. */
const rows = "10";

function Live({ endpoint }: { endpoint: Endpoint }) {
	const isList = endpoint.parameters.some(({ name }) => name === "per_page");
	const { address, body } = callOf(endpoint, { ...(isList && { per_page: rows }), ...exampleOf(endpoint) });
	const state = useRead(endpoint.id, (signal) => readAt(address, body, signal));
	return (
		<>
			<h5>
				The answer of now to <code>{address}</code>
			</h5>
			<Failed state={state} />
			{state.data !== undefined && <LongText text={jsonText(state.data)} name="the answer" />}
		</>
	);
}
