/** Disputes about values: a form to file one, or the status of a filed one. */
import "../../style/base.css";
import "./disputes.css";
import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { storedKey } from "../../lib/api/key.ts";
import { callAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { FactList, mount, Section } from "../../lib/elements/page.tsx";
import { labelOf, safeText } from "../../lib/text/format.ts";

/** `?id=` is the number of a filed dispute. Other parameters fill in the form. */
const given = new URLSearchParams(location.search);

interface Field {
	label: string;
	hint: string;
	maxLength: number;
	isLong?: true;
}

/** Fields of the form, named as in `POST /disputes`. */
const fields = {
	project_id: { label: "Request", hint: "Its id, for example ERCOT-26INR0309", maxLength: 100 },
	field: { label: "Field", hint: "As the interface names it, for example county or capacity_mw", maxLength: 100 },
	developer_id: { label: "Developer", hint: "Its number or its name", maxLength: 200 },
	identifier: { label: "Wrong number", hint: "For example cik:1326160; empty where one is missing", maxLength: 40 },
	proposed: {
		label: "Correct value",
		hint: "A name, a value, or a number as cik:1326160; may be empty",
		maxLength: 200,
	},
	reason: { label: "Why", hint: "At least ten characters", maxLength: 2_000, isLong: true },
	evidence_url: { label: "Where it can be read", hint: "An address that begins with https://", maxLength: 500 },
} satisfies Record<string, Field>;

interface Subject {
	text: string;
	fields: (keyof typeof fields)[];
	/** Whether the dispute can concern the value as of a past day. */
	hasDay?: true;
}

const subjects = {
	developer_link: { text: "Who is behind a request", fields: ["project_id"], hasDay: true },
	project_field: { text: "Another field of a request", fields: ["project_id", "field"], hasDay: true },
	identifier: { text: "A number of a developer (CIK, EIA)", fields: ["developer_id", "identifier"] },
	ownership: { text: "Who owns the plant of a request", fields: ["project_id"] },
} satisfies Record<string, Subject>;

const isSubject = (about = ""): about is keyof typeof subjects => Object.hasOwn(subjects, about);

function Form() {
	const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries(given));
	const [opened, setOpened] = useState<Reply<"openDispute">>();
	const action = useAction();
	const about = isSubject(values.about) ? values.about : "developer_link";
	const subject: Subject = subjects[about];
	const as_of = given.get("as_of") ?? undefined;
	const names = [...subject.fields, "proposed", "reason", "evidence_url"] as const;
	const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
	const send = async (event: Event) => {
		event.preventDefault();
		const filled = names.flatMap((name) => (values[name]?.trim() ? [[name, values[name]?.trim()]] : []));
		const body = { about, ...(subject.hasDay && as_of && { as_of }), ...Object.fromEntries(filled) };
		setOpened(
			await action.run(() => callAs("openDispute", "/disputes", { method: "POST", body, key: storedKey()?.key })),
		);
	};
	if (opened !== undefined)
		return (
			<Section id="filed" title={`Dispute ${opened.dispute_id} is filed`}>
				<p role="status">
					A person reviews it. <a href={`/dispute?id=${opened.dispute_id}`}>What became of it</a> is at this address.
				</p>
			</Section>
		);
	return (
		<Section id="object" title="File a dispute">
			<form onSubmit={send} noValidate>
				<label for="about">What is wrong</label>
				<select id="about" value={about} onInput={(event) => set("about", event.currentTarget.value)}>
					{Object.entries(subjects).map(([value, { text }]) => (
						<option key={value} value={value}>
							{text}
						</option>
					))}
				</select>
				{/* The value is read only for the request in the address, not for an ID that is being typed. */}
				{subject.hasDay && values.project_id !== undefined && values.project_id === given.get("project_id") && (
					<StatedValue
						project_id={values.project_id}
						field={about === "project_field" ? (values.field ?? "") : "developer_canonical"}
						as_of={as_of}
					/>
				)}
				{names.map((name) => {
					const { label, hint, maxLength, isLong }: Field = fields[name];
					const attributes = {
						...{ id: name, maxLength, value: values[name] ?? "", "aria-describedby": `${name}-hint` },
						onInput: (event: Event & { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
					};
					return (
						<div key={name} class="field">
							<label for={name}>{label}</label>
							{isLong ? <textarea rows={5} {...attributes} /> : <input autocomplete="off" {...attributes} />}
							<p class="soft" id={`${name}-hint`}>
								{hint}
							</p>
						</div>
					);
				})}
				<Problem action={action} />
				<p>
					<button type="submit" disabled={action.isBusy}>
						File the dispute
					</button>
				</p>
				<p class="soft">
					What you write is for the reviewers alone; the decision, its reason and, beside a correction, your link are
					public.
				</p>
			</form>
		</Section>
	);
}

interface StatedProps {
	project_id: string;
	field: string;
	as_of: string | undefined;
}

function StatedValue({ project_id, field, as_of }: StatedProps) {
	const { data } = useOperation("getProject", `/projects/${encodeURIComponent(project_id)}`, { as_of });
	const value = (data as Record<string, unknown> | undefined)?.[field];
	if (value === undefined) return null;
	return (
		<p data-stated>
			{as_of === undefined ? "Stated now" : `Stated of ${as_of}`}:{" "}
			<b>{value === null ? "none" : safeText(typeof value === "string" ? value : JSON.stringify(value))}</b>
		</p>
	);
}

const Status = ({ id }: { id: string }) => (
	<Section id="state" title="What became of a dispute">
		<form class="ask" method="get" action="/dispute">
			<label for="id">Its number</label>
			<input id="id" name="id" inputMode="numeric" defaultValue={id} maxLength={9} />
			<button type="submit">Look</button>
		</form>
		{/^[1-9]\d{0,8}$/.test(id) && <Dispute id={id} />}
	</Section>
);

function Dispute({ id }: { id: string }) {
	const state = useOperation("getDispute", `/disputes/${id}`);
	const { data } = state;
	if (data === undefined) return <Failed state={state} />;
	const text = (value: string | null) => (value === null ? null : safeText(value));
	return (
		<FactList
			facts={[
				["State", labelOf(data.state)],
				["About", labelOf(data.about)],
				["Request", text(data.project_id)],
				["Field", data.field],
				["Number", data.identifier],
				["Stated then", text(data.stated)],
				["Filed", data.opened_at.slice(0, 10)],
				["Decided", data.settled_at?.slice(0, 10) ?? null],
				["Decision", text(data.decision)],
			]}
		/>
	);
}

mount(
	<>
		<Form />
		<Status id={given.get("id") ?? ""} />
	</>,
);
