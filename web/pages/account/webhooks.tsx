import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { CheckBox, Choice, TextField } from "../../lib/elements/fields.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { ago, count, counted, labelOf, safeText } from "../../lib/text/format.ts";
import { Item, NewSecret, useList } from "./account-item.tsx";

type Watchlist = Reply<"listWatchlists">["data"][number];
type Webhook = Reply<"listWebhooks">["data"][number];

export function Webhooks({ apiKey, watchlists }: { apiKey: string; watchlists: Watchlist[] }) {
	const list = useList("listWebhooks", "/webhooks?per_page=200", apiKey);
	const [secret, setSecret] = useState<string>();
	return (
		<Section id="webhooks" title="Alerts and webhooks" reads={[list.state]}>
			{list.state.data?.data.length === 0 && <p class="soft">None yet.</p>}
			{secret !== undefined && <NewSecret name="The secret for its signatures" secret={secret} />}
			<ul class="items">
				{list.state.data?.data.map((webhook) => (
					<Row key={webhook.webhook_id} webhook={webhook} apiKey={apiKey} reload={list.reload} show={setSecret} />
				))}
			</ul>
			<NewWebhook apiKey={apiKey} watchlists={watchlists} reload={list.reload} show={setSecret} />
		</Section>
	);
}

interface RowProps {
	webhook: Webhook;
	apiKey: string;
	reload(): void;
	/** Shows a new secret, which cannot be shown again. */
	show(secret: string): void;
}

function Row({ webhook, apiKey, reload, show }: RowProps) {
	const { webhook_id, url, enabled, format } = webhook;
	const action = useAction();
	const [tested, setTested] = useState<Reply<"testWebhook">>();
	const path = `/webhooks/${webhook_id}`;
	const call = (method: string, body?: object) => ({ method, key: apiKey, body });
	const test = async () => {
		setTested(await action.run(() => callAs("testWebhook", `${path}/test`, call("POST"))));
	};
	const change = () =>
		action.run(() => callAs("changeWebhook", path, call("PATCH", { enabled: !enabled }))).then(reload);
	const rotate = async () => {
		const rotated = await action.run(() => callAs("rotateWebhook", `${path}/rotate`, call("POST")));
		if (rotated !== undefined) show(rotated.secret);
	};
	const remove = () => action.run(() => callAs("deleteWebhook", path, call("DELETE"))).then(reload);
	const button = (text: string, act: () => void) => (
		<button type="button" class="plain" disabled={action.isBusy} onClick={act}>
			{text}
		</button>
	);
	return (
		<Item
			{...{
				kind: "webhook",
				id: webhook_id,
				name: safeText(url.replace(/^mailto:/, ""), 200),
				action,
				...describe(webhook),
			}}
			more={{
				label: "Deliveries",
				content: <Deliveries key={tested?.delivery_id} path={path} apiKey={apiKey} />,
			}}
			buttons={
				<>
					{button("Send a test", test)}
					{button(enabled ? "Disable" : "Enable", change)}
					{format === "json" && button("New secret", rotate)}
				</>
			}
			outcome={tested && `The test: ${outcomeOf(tested)}`}
			remove={{ question: "It is deleted with its deliveries.", act: remove }}
		/>
	);
}

const formats = { json: "Program (signed JSON)", email: "E-mail", slack: "Slack", teams: "Teams" } as const;
type Format = keyof typeof formats;

const placeholders: Record<Format, string> = {
	json: "https://example.com/changes",
	email: "you@example.com",
	slack: "https://hooks.slack.com/services/...",
	teams: "https://....environment.api.powerplatform.com/...",
};

const describe = ({ enabled, proven, disabled_reason, pending, digest, watchlist_id, format }: Webhook) => ({
	state: enabled
		? proven
			? "enabled"
			: format === "email"
				? "waits until the link in the mail is opened"
				: "waits until its address echoes the challenge"
		: `disabled${disabled_reason === null ? "" : `: ${safeText(disabled_reason, 200)}`}`,
	note: [
		formats[format],
		...(watchlist_id === null ? [] : [`watchlist ${watchlist_id}`]),
		...(digest === null ? [] : ["once a day"]),
		`${count(pending)} waiting`,
	].join(" · "),
});

interface NewProps extends Omit<RowProps, "webhook"> {
	watchlists: Watchlist[];
}

function NewWebhook({ apiKey, watchlists, reload, show }: NewProps) {
	const [url, setUrl] = useState("");
	const [what, setWhat] = useState("");
	const [format, setFormat] = useState<Format>("json");
	const [isDigest, setDigest] = useState(false);
	const [hasRow, setHasRow] = useState(true);
	const stats = useOperation("getStats", "/stats").data?.data;
	const action = useAction();
	const create = async (event: Event) => {
		event.preventDefault();
		const [kind, value] = what.split(" ");
		const body = {
			url: format === "email" ? `mailto:${url.trim()}` : url.trim(),
			format,
			...(kind === "watchlist" && { watchlist_id: Number(value) }),
			...(kind === "region" && { filters: { region: [value] } }),
			include_row: hasRow,
			digest: isDigest ? "daily" : null,
		};
		const created = await action.run(() => callAs("createWebhook", "/webhooks", { method: "POST", key: apiKey, body }));
		if (created === undefined) return;
		if (format === "json") show(created.secret);
		setUrl("");
		reload();
	};
	return (
		<details>
			<summary>New alert or webhook</summary>
			<form onSubmit={create} noValidate class="fields">
				<Choice
					{...{ label: "Send to", value: format, options: Object.entries(formats) }}
					set={(value) => {
						setFormat(value as Format);
						setDigest(value === "email");
					}}
				/>
				<TextField
					{...{ label: "Address", value: url, set: setUrl }}
					{...{ type: format === "email" ? "email" : "url", placeholder: placeholders[format], maxLength: 2_000 }}
				/>
				<Choice
					{...{ label: "Changes", value: what, set: setWhat }}
					options={[
						["", "Every one"],
						...watchlists.map(
							({ watchlist_id: id, name }) => [`watchlist ${id}`, `From the watchlist ${safeText(name, 60)}`] as const,
						),
						...(stats?.by_iso.map(({ iso }) => [`region ${iso}`, `Of ${iso}`] as const) ?? []),
					]}
				/>
				<div>
					{format === "json" && (
						<>
							<CheckBox label="Include the request as it is after the change" value={hasRow} set={setHasRow} />
							<br />
						</>
					)}
					<CheckBox label="Once a day" value={isDigest} set={setDigest} />
				</div>
				<button type="submit" disabled={action.isBusy}>
					Create it
				</button>
			</form>
			<Problem action={action} />
			<p class="soft">
				How to verify a delivery: <a href="/docs/events">Events</a>. Mails begin when the link in the first one is
				opened.
			</p>
		</details>
	);
}

type Delivery = Reply<"listDeliveries">["data"][number];

const shownDeliveries = 20;

function Deliveries({ path, apiKey }: { path: string; apiKey: string }) {
	const list = useList("listDeliveries", `${path}/deliveries?per_page=${shownDeliveries}`, apiKey);
	const action = useAction();
	const [redelivered, setRedelivered] = useState<number>();
	const redeliver = async (id: number) => {
		setRedelivered(id);
		const address = `${path}/deliveries/${id}/redeliver`;
		await action.run(() => callAs("redeliver", address, { method: "POST", key: apiKey }));
		list.reload();
	};
	const data = list.state.data?.data;
	return (
		<>
			<Failed state={list.state} />
			<Problem action={action} />
			{data?.length === 0 && <p class="soft">Nothing has been sent yet.</p>}
			<ul>
				{data?.map((delivery) => (
					<li key={delivery.delivery_id} data-delivery={delivery.delivery_id}>
						{labelOf(delivery.type.replace(".", " "))}
						{delivery.seq !== null && ` ${count(delivery.seq)}`}: {outcomeOf(delivery)}{" "}
						<span class="soft">{ago(delivery.created_at, Date.now())}</span>{" "}
						<button
							type="button"
							class="name"
							disabled={action.isBusy && redelivered === delivery.delivery_id}
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

function outcomeOf({ status, attempts, latency_ms, answer_status, error }: Delivery): string {
	const answer = answer_status === null ? "" : `, answer ${answer_status}`;
	const time = latency_ms === null ? "" : ` in ${count(latency_ms)} ms`;
	const why = error === null ? "" : `: ${safeText(error, 200)}`;
	return `${status}${answer}${time} (${counted(attempts, "attempt")})${why}`;
}
