import type { ReactElement, ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly hideTitle?: boolean;
  /** A click beside the dialog does not close it: something is typed in it. */
  readonly stays?: boolean;
  readonly children: ReactNode;
}

/** A dialog that holds the focus until it is closed, by its buttons, Escape or a click beside it. */
export const Dialog = ({ title, onClose, wide, hideTitle, stays, children }: DialogProps): ReactElement => (
  <ModalOverlay
    className="backdrop"
    isOpen
    isDismissable={stays !== true}
    onOpenChange={(open) => {
      if (!open) onClose();
    }}
  >
    <Modal className={wide === true ? 'dialog wide' : 'dialog'}>
      <AriaDialog>
        <Heading slot="title" level={2} className={hideTitle === true ? 'hidden' : 'dialog-title'}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);
