import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs, read, readAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Failed, useOperation, useRead } from "../../lib/api/use-read.tsx";
import { CheckBox, Choice, TextField } from "../../lib/elements/fields.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { type MailChoice, mailChanges, setWatched } from "../../lib/requests/watched.ts";
import { ago, counted, labelOf, safeText } from "../../lib/text/format.ts";
import type { List } from "./account-item.tsx";
import { Item } from "./account-item.tsx";

export function Watchlists({ apiKey, list }: { apiKey: string; list: List<"listWatchlists"> }) {
	return (
		<Section id="watchlists" title="Watchlists" reads={[list.state]}>
			{list.state.data?.data.length === 0 && <p class="soft">None yet.</p>}
			<ul class="items">
				{list.state.data?.data.map((watchlist) => (
					<Row key={watchlist.watchlist_id} watchlist={watchlist} apiKey={apiKey} reload={list.reload} />
				))}
			</ul>
			<WatchOne apiKey={apiKey} reload={list.reload} />
			<NewWatchlist apiKey={apiKey} reload={list.reload} />
		</Section>
	);
}

const noMails: MailChoice = { email: "", isDaily: true };

/** Fields for receiving the changes by e-mail. E-mails are sent only after the link in the first one has been opened. */
function MailFields({ value, set }: { value: MailChoice; set(value: MailChoice): void }) {
	return (
		<>
			<TextField
				{...{ label: "E-mail for its changes (optional)", value: value.email, type: "email", maxLength: 254 }}
				set={(email) => set({ ...value, email })}
			/>
			{value.email !== "" && (
				<CheckBox label="One e-mail a day" value={value.isDaily} set={(isDaily) => set({ ...value, isDaily })} />
			)}
		</>
	);
}

const mailNote = ({ email }: MailChoice) =>
	email.trim() === "" ? undefined : `Open the link that is mailed to ${safeText(email.trim(), 254)}.`;

/** Adds a request to the watchlist that the Watch button also uses. */
function WatchOne({ apiKey, reload }: Pick<RowProps, "apiKey" | "reload">) {
	const [typed, setTyped] = useState("");
	const [mails, setMails] = useState(noMails);
	const [note, setNote] = useState<string>();
	const action = useAction();
	const add = async (event: Event) => {
		event.preventDefault();
		const added = await action.run(async () => {
			const { id } = await read("getProject", `/projects/${encodeURIComponent(typed.trim())}`);
			const watchlist = await setWatched(id, true, apiKey);
			if (watchlist !== undefined) await mailChanges(watchlist, mails, apiKey);
			return id;
		});
		if (added === undefined) return;
		setTyped("");
		setNote(mailNote(mails));
		reload();
	};
	return (
		<>
			<form onSubmit={add} noValidate class="fields">
				<TextField
					{...{ label: "Watch one request", value: typed, set: setTyped }}
					{...{ placeholder: "MISO-J1234", maxLength: 80, spellcheck: false }}
				/>
				<MailFields value={mails} set={setMails} />
				<button type="submit" disabled={action.isBusy || typed.trim() === ""}>
					Watch
				</button>
			</form>
			<Problem action={action} />
			{note !== undefined && <p role="status">{note}</p>}
		</>
	);
}

interface RowProps {
	watchlist: Reply<"listWatchlists">["data"][number];
	apiKey: string;
	reload(): void;
}

function Row({ watchlist, apiKey, reload }: RowProps) {
	const { watchlist_id, name, filters, requests, created_at, expires_at } = watchlist;
	const expiry = expires_at === null ? "" : `deleted on ${expires_at.slice(0, 10)} unless it is used`;
	const action = useAction();
	const path = `/watchlists/${watchlist_id}`;
	const remove = () =>
		action.run(() => callAs("deleteWatchlist", path, { method: "DELETE", key: apiKey })).then(reload);
	return (
		<Item
			{...{ kind: "watchlist", id: watchlist_id, name: safeText(name, 100), action }}
			state={requests === null ? "being read" : counted(requests, "request")}
			note={[safeText(describeFilters(filters), 300), `since ${ago(created_at, Date.now())}`, expiry]
				.filter(Boolean)
				.join(" · ")}
			more={{ label: "What changed", content: <Changes path={path} apiKey={apiKey} /> }}
			remove={{ question: `The watchlist ${safeText(name, 40)} is deleted.`, act: remove }}
		/>
	);
}

const describeFilters = (filters: object): string =>
	Object.entries(filters)
		.map(([name, value]) => `${labelOf(name)}: ${Array.isArray(value) ? value.join(", ") : value}`)
		.join("; ");

const shown = 100;

function Changes({ path, apiKey }: { path: string; apiKey: string }) {
	const state = useRead(path, (signal) =>
		readAs("listWatchlistChanges", `${path}/changes?per_page=${shown}`, apiKey, signal),
	);
	return (
		<>
			<Failed state={state} />
			{state.data?.data.length === 0 && <p class="soft">Nothing yet.</p>}
			<ul>
				{state.data?.data.map((change) => (
					<li key={change.seq}>
						{change.event !== null && <b>{labelOf(change.event)}: </b>}
						{safeText(change.project_name ?? change.queue_id ?? "", 80)} · {labelOf(change.change_type)}{" "}
						<span class="soft">{ago(change.detected_at, Date.now())}</span>
					</li>
				))}
			</ul>
			{(state.data?.data.length ?? 0) >= shown && <p class="soft">The first {shown}; the interface has the others.</p>}
		</>
	);
}

function NewWatchlist({ apiKey, reload }: { apiKey: string; reload(): void }) {
	const [name, setName] = useState("");
	const [region, setRegion] = useState("");
	const [state, setState] = useState("");
	const [technology, setTechnology] = useState("");
	const [least, setLeast] = useState("");
	const [mails, setMails] = useState(noMails);
	const [note, setNote] = useState<string>();
	const stats = useOperation("getStats", "/stats").data?.data;
	const action = useAction();
	const create = async (event: Event) => {
		event.preventDefault();
		const filters = {
			...(region !== "" && { region: [region] }),
			...(state.trim() !== "" && { state: state.split(/[\s,]+/).filter(Boolean) }),
			...(technology !== "" && { fuel_type: [technology] }),
			...(least !== "" && { capacity_min: Number(least) }),
		};
		const call = { method: "POST", key: apiKey, body: { name, filters } };
		const created = await action.run(async () => {
			const watchlist = await callAs("createWatchlist", "/watchlists", call);
			const { watchlist_id: id } = watchlist;
			// If the webhook cannot be created, the watchlist is deleted, because a retry would create a second one.
			const undo = () => callAs("deleteWatchlist", `/watchlists/${id}`, { method: "DELETE", key: apiKey });
			await mailChanges(id, mails, apiKey).catch((error) => undo().finally(() => Promise.reject(error)));
			return watchlist;
		});
		reload();
		if (created === undefined) return;
		setName("");
		setNote(mailNote(mails));
	};
	return (
		<details>
			<summary>New watchlist</summary>
			<form onSubmit={create} noValidate class="fields">
				<TextField label="Name" value={name} set={setName} maxLength={100} />
				<Choice
					{...{ label: "Grid operator", value: region, set: setRegion }}
					options={[["", "Any"], ...(stats?.by_iso.map(({ iso }) => [iso] as const) ?? [])]}
				/>
				<TextField label="States, two letters each" value={state} set={setState} maxLength={300} />
				<Choice
					{...{ label: "Technology", value: technology, set: setTechnology }}
					options={[["", "Any"], ...(stats?.by_fuel_type.map(({ fuel_type }) => [fuel_type] as const) ?? [])]}
				/>
				<TextField label="At least (MW)" value={least} set={setLeast} type="number" min={0} />
				<MailFields value={mails} set={setMails} />
				<button type="submit" disabled={action.isBusy}>
					Create the watchlist
				</button>
			</form>
			<Problem action={action} />
			{note !== undefined && <p role="status">{note}</p>}
			<p class="soft">
				Every filter of <a href="/docs">/projects</a> works by POST /watchlists.
			</p>
		</details>
	);
}
