import { useEffect, useState } from "preact/hooks";
import { Line } from "../../lib/article.tsx";
import { callOf, exampleOf, type Given } from "./call.ts";
import type { Endpoint as Described } from "./document.ts";
import { Example } from "./example.tsx";
import { Fields } from "./fields.tsx";
import { Parameters } from "./parameters.tsx";
import { Programs } from "./programs.tsx";
import type { Shared } from "./shared.ts";
import { TryIt } from "./try-it.tsx";

interface EndpointProps {
	endpoint: Described;
	shared: Shared;
}

/** A line, and when it is opened everything about it. */
export function Endpoint({ endpoint, shared }: EndpointProps) {
	const { id, method, path, summary } = endpoint;
	const isNamed = shared.named === id;
	const [isOpen, setIsOpen] = useState(isNamed);
	useEffect(() => {
		if (isNamed) setIsOpen(true);
	}, [isNamed]);
	return (
		<details class="endpoint" id={id} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
			<summary>
				<h4>
					<span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
				</h4>{" "}
				<span class="soft">{summary}</span>
			</summary>
			{isOpen && <Opened endpoint={endpoint} shared={shared} />}
		</details>
	);
}

function Opened({ endpoint, shared }: EndpointProps) {
	const [given, setGiven] = useState<Given>(() => exampleOf(endpoint));
	const call = callOf(endpoint, given);
	return (
		<>
			<Cost endpoint={endpoint} />
			{endpoint.description !== undefined && (
				<p class="soft">
					<Line text={endpoint.description} />
				</p>
			)}
			{endpoint.parameters.length > 0 && (
				<Parameters
					endpoint={endpoint}
					given={given}
					give={(name, value) => setGiven((before) => ({ ...before, [name]: value }))}
				/>
			)}
			<Programs call={call} shared={shared} />
			<TryIt endpoint={endpoint} call={call} visitorsKey={shared.key} />
			<Example endpoint={endpoint} shared={shared} />
			<Fields endpoint={endpoint} />
			<p class="soft">
				Refused with{" "}
				{endpoint.refusals.map((status, place) => (
					<span key={status}>
						{place > 0 && ", "}
						<a href="#errors">{status}</a>
					</span>
				))}
				. Operation <a href={`#${endpoint.id}`}>{endpoint.id}</a>.
			</p>
		</>
	);
}

/** What it costs, and whether it takes a key. */
function Cost({ endpoint: { price, usd, key } }: { endpoint: Described }) {
	return (
		<p class="cost">
			<span class="tag">{costNote(price, usd)}</span> <span class="tag">{keyNotes[key]}</span>{" "}
			<span class="soft">{price === "free" ? freeNote(usd) : pricedNote(usd, key)}</span>
		</p>
	);
}

function costNote(price: string, usd: string | undefined): string {
	if (price === "free") return "free";
	return usd === undefined ? "one query" : `one query, or $${usd}`;
}

const keyNotes: Record<Described["key"], string> = {
	none: "no key needed",
	better: "works without a key",
	needed: "needs a key",
	credits: "needs prepaid credits",
};

const freeNote = (usd: string | undefined): string =>
	usd === undefined ? "It takes no query of a plan." : `It sells: you choose the amount, $${usd}.`;

function pricedNote(usd: string | undefined, key: Described["key"]): string {
	const withKey = "With a key it takes one query of your plan.";
	if (key === "needed") return withKey;
	return usd === undefined
		? `${withKey} Without one it is answered at no charge here, within the limit of an address.`
		: `${withKey} Without one it is paid for by the call.`;
}
