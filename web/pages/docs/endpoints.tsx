import { useEffect, useState } from "preact/hooks";
import type { Language } from "#libs/documents/programs.ts";
import { words } from "../../lib/format.ts";
import { forgetKey, isKey, keepKey, keptKey } from "../../lib/key.ts";
import type { Beside, Group } from "./document.ts";
import { Endpoint } from "./endpoint.tsx";
import type { Shared } from "./shared.ts";

export function Endpoints({ groups, reads }: { groups: Group[] } & Pick<Beside, "reads">) {
	const [key, setKey] = useState(keptKey()?.key ?? "");
	const [language, setLanguage] = useState<Language>("curl");
	const named = useFragment();
	const shared: Shared = { reads: new Set(reads), key, language, setLanguage, named };
	const keep = (typed: string) => {
		const trimmed = typed.trim();
		if (isKey(trimmed)) keepKey({ key: trimmed, isForGood: keptKey()?.isForGood ?? false });
		else if (trimmed === "") forgetKey();
		setKey(trimmed);
	};
	return (
		<section aria-labelledby="endpoints">
			<h2 id="endpoints">Endpoints</h2>
			<div class="key">
				<label for="key">Your key, for what you try here</label>
				<input
					id="key"
					type="text"
					autocomplete="off"
					spellcheck={false}
					placeholder="pk_..."
					value={key}
					onInput={(event) => keep(event.currentTarget.value)}
				/>
				<p class="soft">
					This tab keeps it until it is closed, and sends it with what you try. Without one:{" "}
					<a href="/register">a free key</a>.
				</p>
			</div>
			{groups.map((group) => (
				<section key={group.name} aria-labelledby={`group-${group.name}`}>
					<h3 id={`group-${group.name}`}>{words(group.name)}</h3>
					<p class="soft">{group.description}</p>
					{group.endpoints.map((endpoint) => (
						<Endpoint key={endpoint.id} endpoint={endpoint} shared={shared} />
					))}
				</section>
			))}
		</section>
	);
}

/** What the address names after its `#`. What it names is only there once the document is: it is gone to then. */
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
