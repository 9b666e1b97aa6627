import { useEffect, useState } from "preact/hooks";
import type { Language } from "#libs/contract/documents/programs.ts";
import { isKey, removeKey, storedKey, storeKey } from "../../lib/api/key.ts";
import { Section } from "../../lib/elements/page.tsx";
import { InlineText } from "../../lib/text/article.tsx";
import { labelOf } from "../../lib/text/format.ts";
import { Example, Fields, Programs, type Shared } from "./call.tsx";
import { type Beside, callOf, type Endpoint as Described, exampleOf, type Given, type Group } from "./document.ts";
import { Parameters } from "./parameters.tsx";
import { TryIt } from "./try-it.tsx";

export function Endpoints({ groups, reads }: { groups: Group[] } & Pick<Beside, "reads">) {
	const [key, setKey] = useState(storedKey()?.key ?? "");
	const [language, setLanguage] = useState<Language>("curl");
	const named = useFragment();
	const shared: Shared = { reads: new Set(reads), key, language, setLanguage, named };
	const storeTypedKey = (typed: string) => {
		const trimmed = typed.trim();
		if (isKey(trimmed)) storeKey({ key: trimmed, isPersistent: storedKey()?.isPersistent ?? false });
		else if (trimmed === "") removeKey();
		setKey(trimmed);
	};
	return (
		<Section id="endpoints" title="Endpoints">
			<div class="key">
				<label for="key">Your key, for calls from this page</label>
				<input
					id="key"
					type="text"
					autocomplete="off"
					spellcheck={false}
					placeholder="pk_..."
					value={key}
					onInput={(event) => storeTypedKey(event.currentTarget.value)}
				/>
				<p class="soft">
					This tab keeps it until it is closed, and sends it with what you try. Without one:{" "}
					<a href="/register">a free key</a>.
				</p>
			</div>
			{groups.map((group) => (
				<section key={group.name} aria-labelledby={`group-${group.name}`}>
					<h3 id={`group-${group.name}`}>{labelOf(group.name)}</h3>
					<p class="soft">{group.description}</p>
					{group.endpoints.map((endpoint) => (
						<Endpoint key={endpoint.id} endpoint={endpoint} shared={shared} />
					))}
				</section>
			))}
		</Section>
	);
}

/** Returns the fragment of the URL, and scrolls to it: the browser could not, because the endpoints are rendered later. */
function useFragment(): string {
	const [fragment, setFragment] = useState(location.hash.slice(1));
	useEffect(() => {
		const follow = () => setFragment(location.hash.slice(1));
		addEventListener("hashchange", follow);
		return () => removeEventListener("hashchange", follow);
	}, []);
	useEffect(() => {
		if (fragment !== "") document.getElementById(fragment)?.scrollIntoView();
	}, [fragment]);
	return fragment;
}

interface EndpointProps {
	endpoint: Described;
	shared: Shared;
}

function Endpoint({ endpoint, shared }: EndpointProps) {
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
					<InlineText text={endpoint.description} />
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
				{endpoint.refusals.map((status, position) => (
					<span key={status}>
						{position > 0 && ", "}
						<a href="#errors">{status}</a>
					</span>
				))}
				. Operation <a href={`#${endpoint.id}`}>{endpoint.id}</a>.
			</p>
		</>
	);
}

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
	usd === undefined ? "It uses no query of a plan." : `You choose the amount: $${usd}.`;

function pricedNote(usd: string | undefined, key: Described["key"]): string {
	const withKey = "With a key it uses one query of your plan.";
	if (key === "needed") return withKey;
	return usd === undefined
		? `${withKey} Without a key it is free on this server, within the limit per address.`
		: `${withKey} Without a key you pay for each call.`;
}
