/** Saves the statement with a title and its parameters (POST /queries), for the account of the visitor's key. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Choice, TextField } from "../../lib/elements/fields.tsx";
import { CopyButton } from "../../lib/text/code.tsx";
import { safeText } from "../../lib/text/format.ts";
import { type Declared, namesOf, parameterOf, savedQueryAddress, types, undeclared } from "./parameters.ts";
import type { Statement } from "./statement.ts";

interface SaveProps {
	statement: Statement;
	apiKey: string | undefined;
	close(): void;
}

export const SaveQuery = ({ apiKey, ...rest }: SaveProps) => (
	<section aria-label="Save query">
		{apiKey === undefined ? (
			<p>
				A saved query is kept for an account: <a href="/account">a free key</a> is needed.
			</p>
		) : (
			<Form apiKey={apiKey} {...rest} />
		)}
	</section>
);

interface FormProps extends Omit<SaveProps, "apiKey"> {
	apiKey: string;
}

function Form({ statement: { sql, database }, apiKey, close }: FormProps) {
	const id = useId();
	const title = useRef<HTMLInputElement>(null);
	const [name, setName] = useState("");
	const [declared, setDeclared] = useState<ReadonlyMap<string, Declared>>(new Map());
	const [saved, setSaved] = useState<Reply<"createSavedQuery">>();
	const action = useAction();
	useEffect(() => title.current?.focus(), []);
	const names = namesOf(sql);
	const of = (parameter: string) => declared.get(parameter) ?? undeclared;
	const declare = (parameter: string, change: Partial<Declared>) =>
		setDeclared((before) => new Map(before).set(parameter, { ...(before.get(parameter) ?? undeclared), ...change }));
	const save = async (event: Event) => {
		event.preventDefault();
		setSaved(undefined);
		const parameters = names.map((parameter) => parameterOf(parameter, of(parameter)));
		const call = { method: "POST", key: apiKey, body: { name, sql, database, parameters } };
		setSaved(await action.run(() => callAs("createSavedQuery", "/queries", call)));
	};
	return (
		<form onSubmit={save} noValidate>
			<p>
				<label for={id}>Title</label>
				<input
					id={id}
					ref={title}
					maxLength={100}
					autocomplete="off"
					value={name}
					onInput={(event) => setName(event.currentTarget.value)}
				/>
			</p>
			{names.length === 0 && (
				<p class="soft">
					Without parameters. A value that changes from run to run is written as <code>$name</code>.
				</p>
			)}
			{names.map((parameter) => (
				<fieldset key={parameter}>
					<legend>
						<code>${parameter}</code>
					</legend>
					<Choice
						label={`Type of ${parameter}`}
						value={of(parameter).type}
						set={(type) => declare(parameter, { type: type as Declared["type"] })}
						options={types.map((type) => [type])}
					/>
					<TextField
						label={`Default of ${parameter}, if any`}
						value={of(parameter).initial}
						set={(initial) => declare(parameter, { initial })}
						maxLength={1_000}
					/>
				</fieldset>
			))}
			<div class="toolbar">
				<button type="submit" class="plain" disabled={action.isBusy || name.trim() === ""}>
					Save
				</button>
				<button type="button" class="plain" onClick={close}>
					Close
				</button>
			</div>
			<Problem action={action} />
			<div role="status">{saved && <Saved query={saved} />}</div>
		</form>
	);
}

function Saved({ query: { query_id, name, parameters } }: { query: Reply<"createSavedQuery"> }) {
	const address = savedQueryAddress(location.origin, query_id, parameters);
	return (
		<>
			<p>
				{safeText(name, 100)} is saved. This address runs it for every key of your account: <code>{address}</code>
			</p>
			<p>
				<CopyButton text={address} label="Copy address" class="plain" />
			</p>
		</>
	);
}
