import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { keptKey } from "../../lib/api/key.ts";
import { callAs, Failure, read } from "../../lib/api/request.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { filed } from "../../lib/text/format.ts";

export function Form({ given }: { given: URLSearchParams }) {
	const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries(given));
	const [isBusy, setBusy] = useState(false);
	const [failure, setFailure] = useState<string>();
	const [filed, setFiled] = useState<Reply<"openDispute">>();
	const about = subjects.find(({ value }) => value === values.about) ?? subjects[0];
	const as_of = given.get("as_of") ?? undefined;
	const shown: Name[] = [...about.asks, "proposed", "reason", "evidence_url"];
	const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
	const send = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		setFailure(undefined);
		const said = shown.flatMap((name) => (values[name]?.trim() ? [[name, values[name]?.trim()]] : []));
		const day = about.hasDay && as_of !== undefined ? { as_of } : {};
		const body = { about: about.value, ...day, ...Object.fromEntries(said) };
		try {
			setFiled(await callAs("openDispute", "/disputes", { method: "POST", body, key: keptKey()?.key }));
		} catch (error) {
			setFailure(error instanceof Failure ? error.message : String(error));
		} finally {
			setBusy(false);
		}
	};
	if (filed !== undefined)
		return (
			<section aria-labelledby="filed">
				<h2 id="filed">Dispute {filed.dispute_id} is filed</h2>
				<p role="status">
					A person looks at it. <a href={`/dispute?id=${filed.dispute_id}`}>What became of it</a> is at this address.
				</p>
			</section>
		);
	return (
		<section aria-labelledby="object">
			<h2 id="object">Object to something</h2>
			<form onSubmit={send} noValidate>
				<label for="about">What is wrong</label>
				<select id="about" value={about.value} onInput={(event) => set("about", event.currentTarget.value)}>
					{subjects.map(({ value, text }) => (
						<option key={value} value={value}>
							{text}
						</option>
					))}
				</select>
				{about.hasDay && values.project_id !== undefined && values.project_id === given.get("project_id") && (
					<Stated
						project_id={values.project_id}
						field={about.value === "project_field" ? (values.field ?? "") : "developer_canonical"}
						as_of={as_of}
					/>
				)}
				{shown.map((name) => {
					const { label, hint, isLong, most } = fields[name];
					const shared = {
						...{ id: name, maxLength: most, value: values[name] ?? "", "aria-describedby": `${name}-hint` },
						onInput: (event: Event & { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
					};
					return (
						<div key={name} class="field">
							<label for={name}>{label}</label>
							{isLong ? <textarea rows={5} {...shared} /> : <input autocomplete="off" {...shared} />}
							<p class="soft" id={`${name}-hint`}>
								{hint}
							</p>
						</div>
					);
				})}
				{failure !== undefined && (
					<p class="failure" role="alert">
						{failure}
					</p>
				)}
				<p>
					<button type="submit" disabled={isBusy}>
						File the dispute
					</button>
				</p>
				<p class="soft">
					What you write is for the reviewers alone; the decision, its reason and, beside a correction, your link are
					public.
				</p>
			</form>
		</section>
	);
}

/** What the form asks, in the names of `POST /disputes`. */

export type Name = "project_id" | "field" | "developer_id" | "identifier" | "proposed" | "reason" | "evidence_url";

interface Field {
	label: string;
	hint: string;
	/** Characters at most. */
	most: number;
	isLong?: true;
}

export const fields: Record<Name, Field> = {
	project_id: { label: "Request", hint: "Its id, for example ERCOT-26INR0309", most: 100 },
	field: { label: "Field", hint: "As the interface names it, for example county or capacity_mw", most: 100 },
	developer_id: { label: "Developer", hint: "Its number or its name", most: 200 },
	identifier: { label: "Wrong number", hint: "For example cik:1326160; empty where one is missing", most: 40 },
	proposed: {
		label: "What should stand there",
		hint: "A name, a value, or a number as cik:1326160; may be empty",
		most: 200,
	},
	reason: { label: "Why", hint: "At least ten characters", most: 2_000, isLong: true },
	evidence_url: { label: "Where that can be read", hint: "An address that begins with https://", most: 500 },
};

export const subjects: [Subject, ...Subject[]] = [
	{ value: "developer_link", text: "Who is behind a request", asks: ["project_id"], hasDay: true },
	{ value: "project_field", text: "Another field of a request", asks: ["project_id", "field"], hasDay: true },
	{ value: "identifier", text: "A number of a developer (CIK, EIA)", asks: ["developer_id", "identifier"] },
	{ value: "ownership", text: "Who owns the plant of a request", asks: ["project_id"] },
];

interface Subject {
	value: "developer_link" | "project_field" | "identifier" | "ownership";
	text: string;
	asks: Name[];
	/** It can be about what is stated of a past day. */
	hasDay?: true;
}

interface StatedProps {
	/** As it is stored, not as it is being typed. */
	project_id: string;
	field: string;
	/** A day of the past; undefined: now. */
	as_of: string | undefined;
}

/** What is stated of the request, which the dispute is about. */
export function Stated({ project_id, field, as_of }: StatedProps) {
	const { data } = useRead(`${project_id} ${as_of}`, (signal) =>
		read("getProject", `/projects/${encodeURIComponent(project_id)}`, { as_of }, signal),
	);
	const value = (data as Record<string, unknown> | undefined)?.[field];
	if (value === undefined) return null;
	return (
		<p data-stated>
			{as_of === undefined ? "Stated now" : `Stated of ${as_of}`}:{" "}
			<b>{value === null ? "none" : filed(typeof value === "string" ? value : JSON.stringify(value))}</b>
		</p>
	);
}
