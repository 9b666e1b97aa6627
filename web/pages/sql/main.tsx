/** The page for SQL over all databases: the schema, an editor, and the result as table, chart or map. */
import "../../style/base.css";
import "./sql.css";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKey } from "../../lib/api/key.ts";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { Choice } from "../../lib/elements/fields.tsx";
import { mount } from "../../lib/elements/page.tsx";
import { CopyButton } from "../../lib/text/code.tsx";
import { HistoryList, Limits } from "./account.tsx";
import { completionOf } from "./completion.ts";
import { createEditor, type Editor } from "./editor.ts";
import { examples } from "./examples.ts";
import { Commands, ResultOf, Summary, suitsResult } from "./result/result.tsx";
import { errorPosition, offsetOf } from "./run.ts";
import { SaveQuery } from "./save-query.tsx";
import type { DatabaseName } from "./schema.ts";
import { SchemaTree } from "./schema-tree.tsx";
import {
	addToHistory,
	clearHistory,
	fragmentOf,
	maxStatementLength,
	type ResultView,
	readHistory,
	type Statement,
	statementOf,
} from "./statement.ts";
import { useRun } from "./use-run.ts";

const [first] = examples;
const initialStatement = (): Statement =>
	statementOf(location.hash) ?? first ?? { sql: "", database: "master", view: "table" };
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function Workbench() {
	const [sql, setSql] = useState(() => initialStatement().sql);
	const [database, setDatabase] = useState(() => initialStatement().database);
	const [view, setView] = useState<ResultView>(() => initialStatement().view);
	const [history, setHistory] = useState(readHistory);
	const stored = useKey();
	const runs = useRun();
	const { data: schema, ...state } = useOperation("getQuerySchema", "/query/schema", {}, 300_000);
	const [isSaving, setSaving] = useState(false);
	const saveButton = useRef<HTMLButtonElement>(null);
	const host = useRef<HTMLDivElement>(null);
	const editor = useRef<Editor>(null);
	const statement: Statement = { sql, database, view };
	/** The statement for which the visitor chose the view. */
	const viewed = useRef(sql);
	const resultPlace = useRef<HTMLElement>(null);
	const canRun = sql.trim() !== "" && sql.length <= maxStatementLength;

	const start = () => {
		if (!canRun) return;
		editor.current?.mark(undefined);
		window.history.replaceState(null, "", fragmentOf(statement));
		setHistory(addToHistory(statement));
		runs.start(statement, stored?.key);
	};
	const use = (taken: Statement) => {
		setDatabase(taken.database);
		setView(taken.view);
		viewed.current = taken.sql;
		editor.current?.write(taken.sql);
		editor.current?.focus();
	};
	const show = (shown: ResultView) => {
		setView(shown);
		if (runs.result === undefined) return;
		viewed.current = runs.result.statement.sql;
		window.history.replaceState(null, "", fragmentOf({ ...runs.result.statement, view: shown }));
	};
	// The editor keeps the callbacks that it was created with, so these call the latest ones.
	const latest = useRef({ start, use });
	latest.current = { start, use };

	useEffect(() => {
		if (host.current === null) return;
		const created = createEditor(host.current, {
			sql,
			label: "Statement",
			onRun: () => latest.current.start(),
			onChange: setSql,
		});
		editor.current = created;
		const follow = () => {
			const linked = statementOf(location.hash);
			if (linked !== undefined) latest.current.use(linked);
		};
		addEventListener("hashchange", follow);
		return () => {
			removeEventListener("hashchange", follow);
			created.destroy();
		};
	}, []);
	useLayoutEffect(() => {
		const { result } = runs;
		if (result && result.statement.sql !== viewed.current && !suitsResult(view, result)) setView("table");
	}, [runs.result]);
	useEffect(() => resultPlace.current?.scrollIntoView({ block: "nearest" }), [runs.result]);
	useEffect(() => editor.current?.setCompletion(completionOf(schema, database)), [schema, database]);
	useEffect(() => {
		const place = runs.failed && errorPosition(runs.failed.message);
		if (place !== undefined) editor.current?.mark(offsetOf(editor.current.read(), place));
	}, [runs.failed]);

	return (
		<div class="workbench">
			<section class="schema" aria-labelledby="schema">
				<h2 id="schema">Views and columns</h2>
				<Failed state={state} />
				{schema && <SchemaTree schema={schema} database={database} insert={(text) => editor.current?.insert(text)} />}
			</section>
			<div class="work">
				<section aria-labelledby="statement">
					<h2 id="statement">Statement</h2>
					<div class="toolbar">
						<Choice
							label="Example"
							value=""
							set={(title) => {
								const example = examples.find((one) => one.title === title);
								if (example !== undefined) use(example);
							}}
							options={[["", "Choose one"], ...examples.map(({ title }) => [title] as const)]}
						/>
						<Choice
							label="Database"
							value={database}
							set={(name) => setDatabase(name as DatabaseName)}
							options={(schema?.databases ?? [{ name: database }]).map(({ name }) => [name])}
						/>
					</div>
					<div class="editor" ref={host} />
					<div class="toolbar">
						<button type="button" onClick={start} disabled={!canRun}>
							Run
						</button>
						{runs.isRunning && (
							<button type="button" class="plain" onClick={runs.stop}>
								Stop
							</button>
						)}
						<CopyButton text={`${location.origin}/sql${fragmentOf(statement)}`} label="Copy link" class="plain" />
						<button
							type="button"
							class="plain"
							ref={saveButton}
							disabled={!canRun}
							aria-expanded={isSaving}
							onClick={() => setSaving(!isSaving)}
						>
							Save query
						</button>
						<span class="soft">
							{isApple ? "⌘" : "Ctrl"}-Enter runs it; Tab leaves the editor; Ctrl-Space completes.
						</span>
					</div>
					{isSaving && (
						<SaveQuery
							statement={statement}
							apiKey={stored?.key}
							close={() => {
								setSaving(false);
								saveButton.current?.focus();
							}}
						/>
					)}
					{sql.length > maxStatementLength && (
						<p class="failure" role="alert">
							A statement has at most {maxStatementLength.toLocaleString("en-US")} characters; this one has{" "}
							{sql.length.toLocaleString("en-US")}.
						</p>
					)}
					<div aria-live="polite" class="outcome">
						{runs.isRunning && !runs.failed && <p>Running.</p>}
						{runs.failed && <Problem {...runs.failed} hasKey={stored !== undefined} />}
						{runs.result && !runs.isRunning && !runs.failed && (
							<p>
								<Summary result={runs.result} />
							</p>
						)}
					</div>
				</section>
				{runs.result && (
					<section aria-labelledby="result" ref={resultPlace} class={runs.isRunning || runs.failed ? "old" : undefined}>
						<h2 id="result">Result</h2>
						{runs.failed && <p class="soft">Result of the previous statement.</p>}
						<ResultOf key={runs.result.ms} result={runs.result} view={view} show={show} />
					</section>
				)}
				<Limits schema={schema} stored={stored} left={runs.result?.left} />
				<Commands statement={statement} hasKey={stored !== undefined} />
				<HistoryList history={history} use={use} clear={() => setHistory(clearHistory())} />
			</div>
		</div>
	);
}

interface ProblemProps {
	message: string;
	status: number;
	isRepeated: boolean;
	hasKey: boolean;
}

const Problem = ({ message, status, isRepeated, hasKey }: ProblemProps) => (
	<p class="failure">
		{message}
		{isRepeated && " Trying again."}
		{(status === 402 || (status === 403 && !hasKey)) && (
			<>
				{" "}
				<a href="/account">A free key</a> runs statements without a payment.
			</>
		)}
		{status === 403 && hasKey && (
			<>
				{" "}
				<a href="/account">Check your key</a>.
			</>
		)}
	</p>
);

mount(<Workbench />);
