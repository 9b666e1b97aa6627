import type { ComponentChildren } from "preact";
import { CopyButton } from "../../lib/copy-button.tsx";

interface SecretProps {
	/** What it is. */
	name: string;
	secret: string;
	children?: ComponentChildren;
}

/** A secret that is shown this once. */
export const NewSecret = ({ name, secret, children }: SecretProps) => (
	<div class="notice" role="status">
		<p>
			<b>{name}: copy it now.</b> It is shown this once.
		</p>
		<p>
			<code class="secret" translate={false}>
				{secret}
			</code>
		</p>
		<div class="toolbar">
			<CopyButton text={secret} />
			{children}
		</div>
	</div>
);
