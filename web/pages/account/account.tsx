import { readAs } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { useKey } from "../../lib/key.ts";
import { useRead } from "../../lib/use-read.ts";
import { Credits } from "./credits.tsx";
import { EnterKey } from "./enter-key.tsx";
import { KeyInUse } from "./key-in-use.tsx";
import { Plans } from "./plans.tsx";
import { Register } from "./register.tsx";
import { Usage } from "./usage.tsx";
import { useList } from "./use-list.ts";
import { Watchlists } from "./watchlists.tsx";
import { Webhooks } from "./webhooks.tsx";

const everyMs = 60_000;

/** All of it is asked of the interface with the visitor's key, which no other address gets. */
export function Account() {
	const kept = useKey();
	return (
		<>
			{kept === undefined ? (
				<div class="columns">
					<Register />
					<EnterKey />
				</div>
			) : (
				<Holder key={kept.key} apiKey={kept.key} isForGood={kept.isForGood} />
			)}
			<Credits />
			<Plans />
		</>
	);
}

interface HolderProps {
	apiKey: string;
	isForGood: boolean;
}

function Holder({ apiKey, isForGood }: HolderProps) {
	const state = useRead("usage", (signal) => readAs("getUsage", "/usage", apiKey, signal), everyMs);
	const watchlists = useList("listWatchlists", "/watchlists?per_page=200", apiKey);
	return (
		<>
			<KeyInUse apiKey={apiKey} isForGood={isForGood} />
			<Failed state={state} />
			{state.data && (
				<>
					<Usage usage={state.data} />
					<Webhooks apiKey={apiKey} watchlists={watchlists.state.data?.data ?? []} />
					<Watchlists apiKey={apiKey} list={watchlists} />
				</>
			)}
		</>
	);
}
