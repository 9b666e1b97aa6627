import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs, Failure } from "../../lib/api.ts";
import { keptKey } from "../../lib/key.ts";
import { fields, type Name, subjects } from "./fields.ts";
import { Stated } from "./stated.tsx";

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
