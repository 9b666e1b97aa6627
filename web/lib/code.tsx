import { CopyButton } from "./copy-button.tsx";

interface CodeProps {
	text: string;
	/** What it is, for the button. */
	name: string;
	/** What is copied, where that is not what is shown. */
	copied?: string;
}

/** A program or a command, with a button that copies it. */
export const Code = ({ text, name, copied = text }: CodeProps) => (
	<div class="code">
		<pre>
			<code>{text}</code>
		</pre>
		<CopyButton text={copied} what={name} class="small" />
	</div>
);
