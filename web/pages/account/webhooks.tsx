import { useId, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs, read } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { ago, count, filed, words } from "../../lib/text/format.ts";
import { Item, NewSecret, useList } from "./items.tsx";

type Watchlist = Reply<"listWatchlists">["data"][number];
type Webhook = Reply<"listWebhooks">["data"][number];

/** Addresses that changes are sent to. */
export function Webhooks({ apiKey, watchlists }: { apiKey: string; watchlists: Watchlist[] }) {
	const list = useList("listWebhooks", "/webhooks?per_page=200", apiKey);
	const [secret, setSecret] = useState<string>();
	return (
		<section aria-labelledby="webhooks">
			<h2 id="webhooks">Webhooks</h2>
			<Failed state={list.state} />
			{list.state.data?.data.length === 0 && <p class="soft">None yet.</p>}
			{secret !== undefined && <NewSecret name="The secret of its signatures" secret={secret} />}
			<ul class="items">
				{list.state.data?.data.map((webhook) => (
					<Row key={webhook.webhook_id} webhook={webhook} apiKey={apiKey} again={list.again} show={setSecret} />
				))}
			</ul>
			<New apiKey={apiKey} watchlists={watchlists} again={list.again} show={setSecret} />
		</section>
	);
}

interface RowProps {
	webhook: Webhook;
	apiKey: string;
	again(): void;
	/** A secret that is shown once. */
	show(secret: string): void;
}

function Row({ webhook, apiKey, again, show }: RowProps) {
	const { webhook_id, url, enabled } = webhook;
	const action = useAction();
	const [tested, setTested] = useState<Reply<"testWebhook">>();
	const path = `/webhooks/${webhook_id}`;
	const call = (method: string, body?: object) => ({ method, key: apiKey, ...(body !== undefined && { body }) });
	const test = async () => {
		setTested(await action.run(() => callAs("testWebhook", `${path}/test`, call("POST"))));
	};
	const change = () =>
		action.run(() => callAs("changeWebhook", path, call("PATCH", { enabled: !enabled }))).then(again);
	const rotate = async () => {
		const rotated = await action.run(() => callAs("rotateWebhook", `${path}/rotate`, call("POST")));
		if (rotated !== undefined) show(rotated.secret);
	};
	const remove = () => action.run(() => callAs("deleteWebhook", path, call("DELETE"))).then(again);
	const button = (text: string, act: () => void) => (
		<button type="button" class="plain" disabled={action.isBusy} onClick={act}>
			{text}
		</button>
	);
	return (
		<Item
			{...{ kind: "webhook", id: webhook_id, name: filed(url, 200), action, ...wordsOf(webhook) }}
			more={{
				label: "Deliveries",
				content: <Deliveries key={tested?.delivery_id} path={path} apiKey={apiKey} />,
			}}
			buttons={
				<>
					{button("Send a test", test)}
					{button(enabled ? "Disable" : "Enable", change)}
					{button("New secret", rotate)}
				</>
			}
			outcome={tested && `The test: ${outcomeOf(tested)}`}
			remove={{ question: "It is deleted with its deliveries.", act: remove }}
		/>
	);
}

const enabledWords = (proven: boolean) => (proven ? "enabled" : "waits until its address echoes the challenge");

const wordsOf = ({ enabled, proven, disabled_reason, pending, digest, watchlist_id }: Webhook) => ({
	state: enabled
		? enabledWords(proven)
		: `disabled${disabled_reason === null ? "" : `: ${filed(disabled_reason, 200)}`}`,
	note: [
		...(watchlist_id === null ? [] : [`watchlist ${watchlist_id}`]),
		...(digest === null ? [] : ["once a day"]),
		`${count(pending)} waiting`,
	].join(" · "),
});

interface NewProps extends Omit<RowProps, "webhook"> {
	watchlists: Watchlist[];
}

function New({ apiKey, watchlists, again, show }: NewProps) {
	const id = useId();
	const [url, setUrl] = useState("");
	const [what, setWhat] = useState("");
	const [isDigest, setDigest] = useState(false);
	const [hasRow, setHasRow] = useState(true);
	const { data: stats } = useRead("stats", (signal) => read("getStats", "/stats", {}, signal));
	const action = useAction();
	const create = async (event: Event) => {
		event.preventDefault();
		const [kind, value] = what.split(" ");
		const body = {
			url: url.trim(),
			...(kind === "watchlist" && { watchlist_id: Number(value) }),
			...(kind === "region" && { filters: { region: [value] } }),
			include_row: hasRow,
			...(isDigest && { digest: "daily" }),
		};
		const created = await action.run(() => callAs("createWebhook", "/webhooks", { method: "POST", key: apiKey, body }));
		if (created === undefined) return;
		show(created.secret);
		setUrl("");
		again();
	};
	return (
		<details>
			<summary>New webhook</summary>
			<form onSubmit={create} noValidate class="fields">
				<div>
					<label for={`${id}-url`}>Address</label>
					<input
						id={`${id}-url`}
						type="url"
						placeholder="https://example.com/changes"
						maxLength={2_000}
						value={url}
						onInput={(event) => setUrl(event.currentTarget.value)}
					/>
				</div>
				<div>
					<label for={`${id}-what`}>Changes</label>
					<select id={`${id}-what`} value={what} onChange={(event) => setWhat(event.currentTarget.value)}>
						<option value="">Every one</option>
						{watchlists.map(({ watchlist_id, name }) => (
							<option key={watchlist_id} value={`watchlist ${watchlist_id}`}>
								Of the watchlist {filed(name, 60)}
							</option>
						))}
						{stats?.data.by_iso.map(({ iso }) => (
							<option key={iso} value={`region ${iso}`}>
								Of {iso}
							</option>
						))}
					</select>
				</div>
				<div>
					<label>
						<input type="checkbox" checked={hasRow} onChange={(event) => setHasRow(event.currentTarget.checked)} /> With
						the request as it is after the change
					</label>
					<br />
					<label>
						<input type="checkbox" checked={isDigest} onChange={(event) => setDigest(event.currentTarget.checked)} />{" "}
						Once a day
					</label>
				</div>
				<button type="submit" disabled={action.isBusy}>
					Create the webhook
				</button>
			</form>
			<Problem action={action} />
			<p class="soft">
				How to verify a delivery: <a href="/docs/events">Events</a>.
			</p>
		</details>
	);
}

type Delivery = Reply<"listDeliveries">["data"][number];

const shown = 20;

/** The newest deliveries of a webhook, and what came of each. */
export function Deliveries({ path, apiKey }: { path: string; apiKey: string }) {
	const list = useList("listDeliveries", `${path}/deliveries?per_page=${shown}`, apiKey);
	const action = useAction();
	const [again, setAgain] = useState<number>();
	const redeliver = async (id: number) => {
		setAgain(id);
		const address = `${path}/deliveries/${id}/redeliver`;
		await action.run(() => callAs("redeliver", address, { method: "POST", key: apiKey }));
		list.again();
	};
	const data = list.state.data?.data;
	return (
		<>
			<Failed state={list.state} />
			<Problem action={action} />
			{data?.length === 0 && <p class="soft">Nothing was sent yet.</p>}
			<ul>
				{data?.map((delivery) => (
					<li key={delivery.delivery_id} data-delivery={delivery.delivery_id}>
						{words(delivery.type.replace(".", " "))}
						{delivery.seq !== null && ` ${count(delivery.seq)}`}: {outcomeOf(delivery)}{" "}
						<span class="soft">{ago(delivery.created_at, Date.now())}</span>{" "}
						<button
							type="button"
							class="name"
							disabled={action.isBusy && again === delivery.delivery_id}
							onClick={() => redeliver(delivery.delivery_id)}
						>
							Send again
						</button>
					</li>
				))}
			</ul>
		</>
	);
}

/** What came of its last attempt, in a line. */
export function outcomeOf({ status, attempts, latency_ms, answer_status, error }: Delivery): string {
	const answer = answer_status === null ? "" : `, answer ${answer_status}`;
	const time = latency_ms === null ? "" : ` in ${count(latency_ms)} ms`;
	const why = error === null ? "" : `: ${filed(error, 200)}`;
	return `${status}${answer}${time} (${attempts === 1 ? "1 attempt" : `${count(attempts)} attempts`})${why}`;
}
