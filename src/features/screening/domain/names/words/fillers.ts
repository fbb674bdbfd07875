import { isNameInUse } from './names-in-use.js';

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Words of a payment or of a shop beside the name of a person: what is paid and how, and trades. In Portuguese, Spanish and
 * English, as lower-case ASCII. What is also a name in use does not count.
 */
const words = setOf(`
  pagamento pagamentos pagto pgto pag pago pagar transferencia transf transfer referente ref deposito dep favor favorecido
  beneficiario conta cta agencia ag cc cp poupanca corrente credito debito boleto mensalidade aluguel condominio salario adiantamento
  fatura nf nfe nota fiscal parcela prestacao compra venda pedido ordem recibo reembolso emprestimo doacao taxa multa pix ted doc
  tef cpf cnpj mei titular nome cliente servico servicos frete honorarios comissao entrada sinal quitacao valor total
  payment transfer transference deposit invoice order account acct rent salary loan refund donation credit debit beneficiary fee
  bill purchase sale number ltd pago transferencia cuenta factura alquiler prestamo sueldo
  padaria panificadora mercearia mercado mercadinho minimercado supermercado hortifruti acougue peixaria farmacia drogaria
  oficina mecanica autopecas borracharia lanchonete restaurante pizzaria churrascaria sorveteria confeitaria doceria bar cafe
  cafeteria loja lojas bazar armarinho floricultura papelaria livraria grafica otica relojoaria joalheria sapataria boutique
  barbearia salao cabeleireiro cabeleireiros estetica academia clinica consultorio laboratorio escola creche hotel pousada
  marcenaria serralheria vidracaria tapecaria lavanderia costura confeccoes modas calcados materiais construcoes deposito
  transportes fretes turismo imoveis imobiliaria advocacia contabilidade representacoes comercio distribuidora shop store market
  bakery pharmacy garage restaurant tienda panaderia farmacia ferreteria taller
  alimentos alimenticios bebidas calcados tecidos ferragens madeiras papeis moveis produtos artigos cereais cosmeticos
  brinquedos embalagens ferramentas medicamentos eletronicos eletrodomesticos laticinios automoveis veiculos pecas combustiveis
  roupas vestuario joias bijuterias festas materiais construcao hortifrutigranjeiros frios carnes frutas verduras bolos doces
  salgados lanches gas agua plasticos tintas pneus motos bicicletas informatica celulares racao agropecuaria transporte viagens
  eventos limpeza reformas pinturas manutencao instalacoes engenharia consultoria
  ltda limitada me epp eireli slu sa`);

const fillers: ReadonlySet<string> = new Set([...words].filter((word) => !isNameInUse(word)));

/** True for a word that says what is paid, or what kind of shop it is, and is no part of a person's name. */
export const isFillerWord = (text: string): boolean => fillers.has(text);
